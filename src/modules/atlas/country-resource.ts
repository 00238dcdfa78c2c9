import { Type, type Static } from '@sinclair/typebox';
import type { CollectionContext, Page, RestResource } from '../hosting';
import type { Countries, Country } from './countries';

const code = Type.String({ description: 'ISO 3166-1 alpha-2 code.', examples: ['DE'] });
const name = Type.String({ description: 'The name in English.', examples: ['Germany'] });
const officialName = Type.String({
  description: 'The official name in English.',
  examples: ['Federal Republic of Germany'],
});
const capital = Type.Union([Type.String(), Type.Null()], {
  description: 'The capital; null if there is none.',
  examples: ['Berlin'],
});
const region = Type.String({ description: 'The continent.', examples: ['Europe'] });
const subregion = Type.String({ description: 'The part of the continent.', examples: ['Western Europe'] });
const area = Type.Number({ description: 'Square kilometres.', examples: [357114] });
const latitude = Type.Number({
  description: 'Degrees north of the equator.',
  minimum: -90,
  maximum: 90,
  examples: [51],
});
const longitude = Type.Number({
  description: 'Degrees east of Greenwich.',
  minimum: -180,
  maximum: 180,
  examples: [9],
});

/** Version 1: flat, with one currency and one language. */
export const flatCountry = Type.Object({
  country_code: code,
  name,
  official_name: officialName,
  capital,
  region,
  subregion,
  currency: Type.Union([Type.String(), Type.Null()], {
    description: 'The code of the first currency.',
    examples: ['EUR'],
  }),
  language: Type.Union([Type.String(), Type.Null()], {
    description: 'The code of the first language.',
    examples: ['deu'],
  }),
  area,
  latitude,
  longitude,
});

/** Version 2: nested, with all currencies and languages. */
export const nestedCountry = Type.Object({
  country_code: code,
  name,
  official_name: officialName,
  capital,
  region,
  subregion,
  currencies: Type.Array(
    Type.Object({
      code: Type.String({ description: 'ISO 4217 code.', examples: ['EUR'] }),
      name: Type.String({ description: 'The name in English.', examples: ['Euro'] }),
      symbol: Type.String({ description: 'The currency symbol.', examples: ['€'] }),
    }),
    { description: 'The currencies.' },
  ),
  languages: Type.Array(
    Type.Object({
      code: Type.String({ description: 'ISO 639-3 code.', examples: ['deu'] }),
      name: Type.String({ description: 'The name in English.', examples: ['German'] }),
    }),
    { description: 'The official languages.' },
  ),
  area,
  location: Type.Object({ latitude, longitude }, { description: 'The centre of the country.' }),
});

/** The filters of the list of countries. */
export const countryQuery = Type.Object({
  region: Type.Optional(Type.String({ minLength: 1, description: 'A continent.', examples: ['Europe'] })),
  language: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The code or the English name of an official language.',
      examples: ['deu'],
    }),
  ),
  q: Type.Optional(
    Type.String({ minLength: 1, description: 'Part of the name or of the capital.', examples: ['german'] }),
  ),
});

// The members of each version are listed explicitly: V8 is a hundred times slower for a spread with further members.
class CountryResource<Representation> implements RestResource<Representation> {
  readonly #countries: Countries;
  readonly #represent: (country: Country) => Representation;

  /** @param represent converts a country to the representation of a version */
  constructor(countries: Countries, represent: (country: Country) => Representation) {
    this.#countries = countries;
    this.#represent = represent;
  }

  fetch(id: string): Representation | undefined {
    const country = this.#countries.get(id);
    return country === undefined ? undefined : this.#represent(country);
  }

  fetchAll({ query, page }: CollectionContext): Page<Representation> {
    // The query was validated by countryQuery, which has these members.
    const found = this.#countries.find(query);
    const items = found
      .slice(page.offset, page.offset + page.pageSize)
      .map((country) => this.#represent(country));
    return { items, total: found.length };
  }
}

/** Version 1 of `Country`. */
export class FlatCountryResource extends CountryResource<Static<typeof flatCountry>> {
  constructor(countries: Countries) {
    super(countries, (country) => ({
      country_code: country.code,
      name: country.name,
      official_name: country.officialName,
      capital: country.capital,
      region: country.region,
      subregion: country.subregion,
      currency: country.currencies[0]?.code ?? null,
      language: country.languages[0]?.code ?? null,
      area: country.area,
      latitude: country.latitude,
      longitude: country.longitude,
    }));
  }
}

/** Version 2 of `Country`. */
export class NestedCountryResource extends CountryResource<Static<typeof nestedCountry>> {
  constructor(countries: Countries) {
    super(countries, (country) => ({
      country_code: country.code,
      name: country.name,
      official_name: country.officialName,
      capital: country.capital,
      region: country.region,
      subregion: country.subregion,
      currencies: [...country.currencies],
      languages: [...country.languages],
      area: country.area,
      location: { latitude: country.latitude, longitude: country.longitude },
    }));
  }
}
