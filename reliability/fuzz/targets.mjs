// Paths, queries and bodies for the sample API, its documentation, and the pages of administrators.

const CODES = [
  'DE',
  'fr',
  'US',
  'XX',
  'zz',
  '',
  '%44%45',
  'D%00',
  '..',
  '%2e%2e',
  'ä',
  '%C3%A4',
  '%ff',
  '%',
  'a'.repeat(200),
];

const PATHS = [
  (random) => `/atlas/countries/${random.pick(CODES)}`,
  () => '/atlas/countries',
  () => '/atlas/countries/query',
  () => '/atlas/visits',
  (random) =>
    `/atlas/visits/${random.pick(['1', '6f0d1c1e-9f5c-7a39-8c0f-0d2a9c1f7b11', 'null', '0', ...CODES])}`,
  () => '/atlas/distance',
  () => '/load/echo',
  () => '/load/lines',
  () => '/platform/batch',
  () => '/platform/documentation',
  (random) =>
    `/platform/documentation/${random.pick(['Atlas', 'Atlas-v1', 'Atlas-v2', 'Atlas-v3', 'Load', 'x'])}`,
  (random) =>
    `/platform/documentation/Atlas-v${random.pick(['1', '2', '9', '-1'])}/${random.pick(['Country', 'Visit', 'x'])}`,
  (random) => `/platform/admin${random.pick(['', '/', '/sign-in', '/listeners', '/api', '/../admin'])}`,
  (random) =>
    `/${random.some(4, () => random.pick(['a', '..', '.', '%2f', '//', 'platform', 'v1', '\\', ';x'])).join('/')}`,
];

const VERSIONS = [
  '',
  '',
  '/v1',
  '/v2',
  '/v1',
  '/v2',
  '/v1',
  '/v2',
  '/v1',
  '/v2',
  '/v3',
  '/v0',
  '/v01',
  '/v99999999999999999999',
  '/V1',
];

const NAMES = [
  ...[
    'region',
    'language',
    'q',
    'page',
    'page_size',
    'sort',
    'fields',
    'embed',
    'area[gte]',
    'area[lte]',
    'subregion',
  ],
  ...[
    'subregion[in]',
    'from',
    'to',
    'count',
    'format',
    'cursor',
    'filter',
    'unknown',
    '__proto__',
    'constructor',
    '',
  ],
];

const VALUES = [
  ...[
    'Europe',
    'deu',
    'german',
    '1',
    '2',
    '25',
    '-1',
    '0',
    '1e9',
    '9007199254740993',
    '1.5',
    'NaN',
    'true',
    'null',
  ],
  ...[
    'name',
    '-area',
    'name,-area',
    'country_code',
    'borders',
    'DE',
    'FR',
    'html',
    'json',
    'apidesc',
    'openapi',
    '',
  ],
  ...[
    '%00',
    '%ff',
    '%C3%A4',
    '%u0041',
    '%',
    "'",
    "';--",
    '{"a":1}',
    '[]',
    'a,b,,c',
    '+',
    '%2B',
    '\u00e4',
    'x'.repeat(5_000),
  ],
];

function query(random) {
  const pairs = random.some(
    4,
    () => `${random.pick(NAMES)}${random.chance(0.95) ? '=' : ''}${random.pick(VALUES)}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join(random.pick(['&', '&', '&', '&&', ';']))}`;
}

/** Targets of operations that exist, with valid queries. */
const KNOWN = [
  '/v1/atlas/countries/DE',
  '/v2/atlas/countries?region=Europe&page=2&page_size=5',
  '/v2/atlas/countries?q=land&sort=-area&fields=name,area&embed=borders',
  '/v1/atlas/countries?area[gte]=100&subregion[in]=Western+Europe',
  '/v1/atlas/distance?from=DE&to=FR',
  '/v1/atlas/visits',
  '/v2/atlas/visits?page=1',
  '/load/echo',
  '/load/lines?count=20',
  '/platform/documentation/Atlas-v2',
  '/platform/documentation?format=html',
  '/platform/documentation/Atlas-v1/Country?format=openapi',
  '/platform/admin/sign-in',
];

/** A request target in origin form (RFC 9112, 3.2.1), sometimes in another one. */
export function target(random) {
  if (random.chance(0.45)) return random.pick(KNOWN);
  const path = `${random.pick(VERSIONS)}${random.pick(PATHS)(random)}${query(random)}`;
  if (random.chance(0.98)) return path;
  return random.pick([
    `http://localhost${path}`,
    '*',
    `//localhost${path}`,
    `${path}#fragment`,
    'localhost:80',
    '',
  ]);
}

const SCALARS = [
  'null',
  'true',
  '0',
  '-0',
  '1e400',
  '9007199254740993',
  '""',
  '"DE"',
  '"2025-06-21"',
  '"\\ud800"',
  '"\\u0000"',
];
const MEMBERS = [
  'country_code',
  'visited_on',
  'note',
  'text',
  'operations',
  'method',
  'path',
  'body',
  'filter',
  '__proto__',
  'x',
];

/** JSON values, nested at most `depth` times. */
function json(random, depth = 4) {
  if (depth === 0 || random.chance(0.4)) return random.pick(SCALARS);
  if (random.chance(0.3)) return `[${random.some(4, () => json(random, depth - 1)).join(',')}]`;
  const members = random.some(4, () => `${JSON.stringify(random.pick(MEMBERS))}:${json(random, depth - 1)}`);
  return `{${members.join(',')}}`;
}

const BODIES = [
  (random) => ['application/json', `{"country_code":"${random.pick(['DE', 'fr', 'XX', ''])}","note":"n"}`],
  () => ['application/json', '{"text":"echo"}'],
  (random) => ['application/json', json(random)],
  (random) => ['application/merge-patch+json', json(random)],
  (random) => ['application/vnd.atlas.v2+json; charset=utf-8', json(random)],
  (random) => ['application/json', `${'['.repeat(random.below(3_000))}`],
  (random) => ['application/x-www-form-urlencoded', query(random).slice(1)],
  (random) => [
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${json(random)}\r\n--b--\r\n`,
  ],
  () => ['multipart/form-data', 'no boundary'],
  (random) => ['text/plain; charset=utf-7', 'x'.repeat(random.below(70_000))],
  () => ['application/json', '\ufeff{}'],
  () => ['', ''],
];

/** @returns {[type: string, body: string]} */
export const body = (random) => random.pick(BODIES)(random);
