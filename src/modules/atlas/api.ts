import { Type, type Static, type TObject } from '@sinclair/typebox';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  type ApiDefinition,
  type ServiceDefinition,
  type RestResource,
} from '../hosting';
import type { Newable } from 'inversify';
import {
  countryQuery,
  flatCountry,
  FlatCountryResource,
  nestedCountry,
  NestedCountryResource,
} from './country-resource';
import { distance, distanceResponse, distanceQuery } from './distance';
import type { Countries } from './countries';
import { visitFields, visitInput, VisitResource } from './visit-resource';

const countryCode = Type.String({
  description: 'ISO 3166-1 alpha-2 code, in any letter case.',
  examples: ['DE'],
});

function country<Fields extends TObject>(
  fields: Fields,
  resource: Newable<RestResource<Static<Fields>>>,
): ServiceDefinition {
  return defineRestService({
    description: 'The countries of the world: read only, for everyone.',
    route: '/atlas/countries[/:country_code]',
    route_identifier_name: 'country_code',
    parameters: { country_code: countryCode },
    fields,
    collection_name: 'countries',
    page_size: 25,
    max_page_size: 250,
    collection: {
      GET: {
        description: 'Lists countries by name, a page at a time.',
        response_description: 'A page of the countries that match the filters.',
        query: countryQuery,
      },
    },
    entity: {
      GET: { description: 'Returns a country.', response_description: 'The country.' },
    },
    resource,
  });
}

const visit = defineRestService({
  description: 'The visits of the user. Users can only see and change their own visits.',
  route: '/atlas/visits[/:visit_id]',
  route_identifier_name: 'visit_id',
  parameters: {
    visit_id: Type.String({ description: 'The identifier of the visit, assigned by the server.' }),
  },
  authorization: 'authenticated',
  fields: visitFields,
  input: visitInput,
  collection_name: 'visits',
  page_size: 25,
  collection: {
    GET: {
      description: 'Lists your visits in the order in which they were added.',
      response_description: 'A page of your visits.',
    },
    POST: {
      description: 'Adds a visit.',
      request_description: 'The visit. Only the country is required.',
      response_description: 'The new visit with its identifier.',
      status_codes: [{ code: 409, message: 'Conflict' }],
    },
  },
  entity: {
    GET: { description: 'Returns one of your visits.', response_description: 'The visit.' },
    PATCH: {
      description: 'Changes one of your visits.',
      request_description: 'The members to change.',
      response_description: 'The updated visit.',
    },
    DELETE: { description: 'Deletes one of your visits.' },
  },
  resource: VisitResource,
});

function distances(countries: Countries): ServiceDefinition {
  return defineRpcService({
    description: 'The distance between two countries.',
    route: '/atlas/distance',
    methods: {
      GET: defineProcedure({
        description: 'Calculates the great-circle distance between the centres of two countries.',
        response_description: 'The distance in kilometres.',
        query: distanceQuery,
        response: distanceResponse,
        handler: ({ query }) => distance(countries, query),
      }),
    },
  });
}

/** The sample API. Version 1 has flat countries; version 2 nests currencies and languages. */
export function atlasApi(countries: Countries): ApiDefinition {
  return defineApi({
    name: 'Atlas',
    description:
      'Countries of the world, the distances between them, and your visits.\n\n' +
      'The countries come from the npm package [world-countries](https://github.com/mledoze/countries), ' +
      'under the [Open Database License 1.0](https://opendatacommons.org/licenses/odbl/1-0/) (ODbL).',
    contact: { name: 'The operator of this service' },
    license: { name: 'ODbL-1.0', url: 'https://opendatacommons.org/licenses/odbl/1-0/' },
    versions: {
      1: {
        release_date: '2025-03-03',
        release_notes: 'The first version.',
        services: {
          Country: country(flatCountry, FlatCountryResource),
          Visit: visit,
          Distance: distances(countries),
        },
      },
      2: {
        release_date: '2026-02-16',
        release_notes:
          'Countries have all of their `currencies` and `languages`, and their coordinates in `location`. Visits and distances are unchanged.',
        services: {
          Country: country(nestedCountry, NestedCountryResource),
          Visit: visit,
          Distance: distances(countries),
        },
      },
    },
  });
}
