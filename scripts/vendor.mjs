// Writes the files copied from development dependencies: the base style sheet, and the data of the sample API. The
// copies are committed, so that no build is needed to serve or to pack them; a spec compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { filesBelow, root, unlessUpToDate } from './up-to-date.mjs';

const require = createRequire(import.meta.url);

/** A country as `src/modules/atlas/countries.ts` declares it. */
function toCountry({ cca2, name, capital, region, subregion, currencies, languages, area, latlng }) {
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
  };
}

/** One country per line, by name. */
function countries() {
  const sorted = require('world-countries')
    .map(toCountry)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
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
  await unlessUpToDate('vendor', filesBelow('package-lock.json', 'scripts/vendor.mjs'), () => {
    for (const [file, text] of Object.entries(vendoredFiles())) writeFileSync(path.join(root, file), text);
  });
}
