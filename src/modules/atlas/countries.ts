import countries from './countries.json';

/** A country of the Atlas. */
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

/** Optional filters, combined with AND. */
export interface CountryFilter {
  readonly region?: string;
  /** The code or the English name of a language. */
  readonly language?: string;
  /** Part of the name, the official name or the capital. */
  readonly q?: string;
}

/** The countries of the package `world-countries` (ODbL 1.0), sorted by name: see `scripts/vendor.mjs`. */
export class Countries {
  readonly #all: readonly Country[] = countries;
  readonly #byCode: ReadonlyMap<string, Country> = new Map(
    this.#all.map((country) => [country.code, country]),
  );

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
