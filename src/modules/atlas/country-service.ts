import { Type } from '@sinclair/typebox';
import { defineTableService, type SqlFilterDefinition, type TableServiceDefinition } from '../database';

type Columns = TableServiceDefinition['columns'];

const shared: Columns = {
  country_code: { description: 'ISO 3166-1 alpha-2 code.', schema: { examples: ['DE'] } },
  name: { description: 'The name in English.', schema: { examples: ['Germany'] } },
  official_name: {
    description: 'The official name in English.',
    schema: { examples: ['Federal Republic of Germany'] },
  },
  capital: { description: 'The capital; null if there is none.', schema: { examples: ['Berlin'] } },
  region: { description: 'The continent.', schema: { examples: ['Europe'] } },
  subregion: { description: 'The part of the continent.', schema: { examples: ['Western Europe'] } },
};

const area: Columns = {
  area: { description: 'Square kilometres.', schema: { examples: [357114] } },
};

const latitude = {
  description: 'Degrees north of the equator.',
  schema: { minimum: -90, maximum: 90, examples: [51] },
};
const longitude = {
  description: 'Degrees east of Greenwich.',
  schema: { minimum: -180, maximum: 180, examples: [9] },
};

/** Version 1: flat, with one currency and one language. */
const flat: Columns = {
  ...shared,
  currency: { description: 'The code of the first currency.', schema: { examples: ['EUR'] } },
  language: { description: 'The code of the first language.', schema: { examples: ['deu'] } },
  ...area,
  latitude,
  longitude,
};

/** Version 2: nested, with all currencies and languages. */
const nested: Columns = {
  ...shared,
  currencies: {
    description: 'The currencies.',
    schema: list({
      code: { type: 'string', description: 'ISO 4217 code.', examples: ['EUR'] },
      name: { type: 'string', description: 'The name in English.', examples: ['Euro'] },
      symbol: { type: 'string', description: 'The currency symbol.', examples: ['€'] },
    }),
  },
  languages: {
    description: 'The official languages.',
    schema: list({
      code: { type: 'string', description: 'ISO 639-3 code.', examples: ['deu'] },
      name: { type: 'string', description: 'The name in English.', examples: ['German'] },
    }),
  },
  ...area,
  location: {
    description: 'The centre of the country.',
    schema: object({
      latitude: { type: 'number', description: latitude.description, ...latitude.schema },
      longitude: { type: 'number', description: longitude.description, ...longitude.schema },
    }),
  },
};

function object(properties: Readonly<Record<string, object>>): Readonly<Record<string, unknown>> {
  return { type: 'object', required: Object.keys(properties), properties };
}

function list(properties: Readonly<Record<string, object>>): Readonly<Record<string, unknown>> {
  return { type: 'array', items: object(properties) };
}

/** Searches in any letter case, in the columns that the seed fills with lines in lower case. */
const filters: Readonly<Record<string, SqlFilterDefinition>> = {
  region: {
    description: 'A continent.',
    where: 'region = :value',
    schema: { type: 'string', minLength: 1, examples: ['Europe'] },
  },
  language: {
    description: 'The code or the English name of an official language.',
    where: {
      sqlite: `instr(search_languages, '\n' || :value || '\n') > 0 AND instr(:value, '\n') = 0`,
      postgres: `strpos(search_languages, '\n' || :value || '\n') > 0 AND strpos(:value, '\n') = 0`,
    },
    lower_case: true,
    schema: { type: 'string', minLength: 1, examples: ['deu'] },
  },
  q: {
    description: 'Part of the name or of the capital.',
    where: {
      sqlite: `instr(search_names, :value) > 0 AND instr(:value, '\n') = 0`,
      postgres: `strpos(search_names, :value) > 0 AND strpos(:value, '\n') = 0`,
    },
    lower_case: true,
    schema: { type: 'string', minLength: 1, examples: ['german'] },
  },
};

function countryService(columns: Columns): TableServiceDefinition {
  return defineTableService({
    description: 'The countries of the world: read only, for everyone.',
    adapter_name: 'atlas',
    table_name: 'countries',
    route: '/atlas/countries[/:country_code]',
    route_identifier_name: 'country_code',
    parameters: {
      country_code: Type.String({
        description: 'ISO 3166-1 alpha-2 code, in any letter case.',
        examples: ['DE'],
      }),
    },
    columns,
    embeds: {
      borders: {
        table_name: 'countries',
        through: 'borders',
        foreign_key: 'country_code',
        columns: ['country_code', 'name'],
        sort: ['name'],
      },
    },
    filters: { area: ['gte', 'lte'], subregion: ['eq', 'in'] },
    sql_filters: filters,
    collection_name: 'countries',
    paging: 'page',
    page_size: 25,
    max_page_size: 250,
    collection: {
      GET: {
        description: 'Lists countries by name, a page at a time.',
        response_description: 'A page of the countries that match the filters.',
        sort: ['name', 'area'],
        default_sort: 'name',
      },
    },
    entity: {
      GET: { description: 'Returns a country.', response_description: 'The country.' },
    },
  });
}

/** The countries, flat in version 1 and nested in version 2. */
export const countryServices = { 1: countryService(flat), 2: countryService(nested) };
