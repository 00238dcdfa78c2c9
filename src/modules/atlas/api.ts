import { defineApi, defineRpcService } from '../hosting';
import { countryServices } from './country-service';
import { DISTANCE_HANDLER, distanceQuery, distanceResponse } from './distance';
import { visitService } from './visit-service';

const distances = defineRpcService({
  description: 'The distance between two countries.',
  route: '/atlas/distance',
  methods: {
    GET: {
      description: 'Calculates the great-circle distance between the centres of two countries.',
      response_description: 'The distance in kilometres.',
      query: distanceQuery,
      response: distanceResponse,
      handler: DISTANCE_HANDLER,
    },
  },
});

/** The sample API. Version 1 has flat countries; version 2 nests currencies and languages. */
export const atlasApi = defineApi({
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
        Country: countryServices[1],
        Visit: visitService,
        Distance: distances,
      },
    },
    2: {
      release_date: '2026-02-16',
      release_notes:
        'Countries have all of their `currencies` and `languages`, and their coordinates in `location`. Visits and distances are unchanged.',
      services: {
        Country: countryServices[2],
        Visit: visitService,
        Distance: distances,
      },
    },
  },
});
