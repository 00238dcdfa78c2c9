// Writes the files copied from development dependencies: the base style sheet, and the data of the sample API. The
// copies are committed, so that no build is needed to serve or to pack them; a spec compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { filesBelow, root, unlessUpToDate } from '../up-to-date.mjs';

const require = createRequire(import.meta.url);

/** A country as `src/modules/atlas/seed.ts` declares it. @param {Map<string, string>} codes by alpha-3 code */
function toCountry(country, codes) {
  const { cca2, name, capital, region, subregion, currencies, languages, area, latlng } = country;
  const [latitude, longitude] = latlng;
  return {
    code: cca2,
    name: name.common,
    officialName: name.official,
    capital: capital[0] ?? null,
    region,
    subregion,
    currencies: Object.entries(currencies).map(([code, { name, symbol }]) => ({ code, name, symbol })),
    languages: Object.entries(languages).map(([code, name]) => ({ code, name })),
    area,
    latitude,
    longitude,
    borders: country.borders.map((code) => codes.get(code)).sort(),
  };
}

/** One country per line, by name. */
function countries() {
  const all = require('world-countries');
  const codes = new Map(all.map(({ cca2, cca3 }) => [cca3, cca2]));
  const sorted = all.map((country) => toCountry(country, codes)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return `[\n${sorted.map((country) => JSON.stringify(country)).join(',\n')}\n]\n`;
}

/** The content of each vendored file, by path from the root. */
export function vendoredFiles() {
  return {
    'templates/assets/pico.css': readFileSync(
      require.resolve('@picocss/pico/css/pico.classless.min.css'),
      'utf8',
    ),
    'src/modules/atlas/countries.json': countries(),
  };
}

export async function vendor() {
  await unlessUpToDate('vendor', filesBelow('package-lock.json', 'scripts/build/vendor.mjs'), () => {
    for (const [file, text] of Object.entries(vendoredFiles())) writeFileSync(path.join(root, file), text);
  });
}
