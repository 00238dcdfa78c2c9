import countries from './countries.json';

/** A country of the package `world-countries` (ODbL 1.0): see `scripts/build/vendor.mjs`. */
interface Country {
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
  /** Codes of the countries with a common land border. */
  readonly borders: readonly string[];
}

/** Inserts the countries and their borders; the same SQL in every dialect. */
export function seedSql(): string {
  const all: readonly Country[] = countries;
  const rows = all.map(
    (country) =>
      `(${[
        text(country.code),
        text(country.name),
        text(country.officialName),
        country.capital === null ? 'NULL' : text(country.capital),
        text(country.region),
        text(country.subregion),
        text(JSON.stringify(country.currencies)),
        text(JSON.stringify(country.languages)),
        String(country.area),
        text(JSON.stringify({ latitude: country.latitude, longitude: country.longitude })),
        text(searchNames(country)),
        text(searchLanguages(country)),
      ].join(', ')})`,
  );
  const borders = all.flatMap(({ code, borders: neighbours }) =>
    neighbours.map((neighbour) => `(${text(code)}, ${text(neighbour)})`),
  );
  return `
    INSERT INTO countries (country_code, name, official_name, capital, region, subregion, currencies, languages,
      area, location, search_names, search_languages) VALUES ${rows.join(',\n')};
    INSERT INTO borders (country_code, neighbour_code) VALUES ${borders.join(', ')};`;
}

/**
 * The lines in which `?q=` searches. They are in lower case already, since SQLite, and PostgreSQL in some locales, only
 * convert ASCII.
 */
function searchNames({ name, officialName, capital }: Country): string {
  return [name, officialName, capital ?? ''].join('\n').toLowerCase();
}

/** The codes and names that `?language=` compares, each between line breaks. */
function searchLanguages({ languages }: Country): string {
  return `\n${languages.flatMap(({ code, name }) => [code, name]).join('\n')}\n`.toLowerCase();
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
