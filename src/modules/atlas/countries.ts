import worldCountries from 'world-countries';

/** A country as the Atlas knows it. */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly name: string;
  readonly officialName: string;
  readonly capital: string | null;
  readonly region: string;
  readonly subregion: string;
  readonly currencies: readonly { readonly code: string; readonly name: string; readonly symbol: string }[];
  /** ISO 639-3 codes. */
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  /** Square kilometres. */
  readonly area: number;
  /** Degrees north. */
  readonly latitude: number;
  /** Degrees east. */
  readonly longitude: number;
}

/** What to look for; what is not given does not matter. */
export interface CountryFilter {
  readonly region?: string;
  /** The code or the English name of a language. */
  readonly language?: string;
  /** Part of the name, the official name or the capital. */
  readonly q?: string;
}

/** The countries of the package `world-countries` (ODbL 1.0), by code and by name. */
export class Countries {
  readonly #all: readonly Country[];
  readonly #byCode: ReadonlyMap<string, Country>;

  constructor() {
    this.#all = worldCountries.map(toCountry).sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#byCode = new Map(this.#all.map((country) => [country.code, country]));
  }

  /** @param code in any letter case */
  get(code: string): Country | undefined {
    return this.#byCode.get(code.toUpperCase());
  }

  find({ region, language, q }: CountryFilter): readonly Country[] {
    const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
    const text = q?.toLowerCase();
    return this.#all.filter(
      (country) =>
        (region === undefined || same(country.region, region)) &&
        (language === undefined ||
          country.languages.some(({ code, name }) => same(code, language) || same(name, language))) &&
        (text === undefined ||
          [country.name, country.officialName, country.capital ?? ''].some((name) =>
            name.toLowerCase().includes(text),
          )),
    );
  }
}

function toCountry(source: (typeof worldCountries)[number]): Country {
  const [latitude, longitude] = source.latlng;
  return Object.freeze({
    code: source.cca2,
    name: source.name.common,
    officialName: source.name.official,
    capital: source.capital[0] ?? null,
    region: source.region,
    subregion: source.subregion,
    currencies: Object.entries(source.currencies).map(([code, { name, symbol }]) => ({ code, name, symbol })),
    languages: Object.entries(source.languages).map(([code, name]) => ({ code, name })),
    area: source.area,
    latitude,
    longitude,
  });
}
