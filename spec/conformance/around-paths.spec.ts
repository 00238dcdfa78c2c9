import { useBench } from './bench';
import { targets } from './guarded-platform';

/** Spellings of the path of the visits, where `{v}` is a version, and their result without credentials. */
const PATHS: readonly (readonly [what: string, target: string, status: number])[] = [
  ['the path as it is', '/v{v}/atlas/visits', 401],
  ['an entity', '/v{v}/atlas/visits/1', 401],
  ['a query', '/v{v}/atlas/visits?page=1', 401],
  ['a query that is not allowed', '/v{v}/atlas/visits?nonsense=1', 401],
  ['an empty query', '/v{v}/atlas/visits?', 401],
  ['a query that looks like a public path', '/v{v}/atlas/visits?/v{v}/atlas/countries', 401],
  ['a fragment', '/v{v}/atlas/visits#/v{v}/atlas/countries', 401],
  ['a fragment before a query', '/v{v}/atlas/visits#?x=1', 401],
  ['an encoded letter', '/v{v}/atlas/%76isits', 401],
  ['encoded letters throughout', '/v{v}/%61%74%6c%61%73/%76%69%73%69%74%73', 401],
  ['an encoded version', '/v%3{v}/atlas/visits', 401],
  ['a version with a leading zero', '/v0{v}/atlas/visits', 401],
  ['a letter that is encoded twice', '/v{v}/atlas/%2576isits', 404],
  ['a letter in the encoding of IIS', '/v{v}/atlas/%u0076isits', 400],
  ['a letter in an overlong form', '/v{v}/atlas/%c1%b6isits', 400],
  ['half of an escape', '/v{v}/atlas/visits%2', 400],
  ['a percent sign', '/v{v}/atlas/visits%', 400],
  ['an octet that is not UTF-8', '/v{v}/atlas/visits%ff', 400],
  ['an encoded slash', '/v{v}/atlas%2fvisits', 404],
  ['an encoded slash in capitals', '/v{v}/atlas%2Fvisits', 404],
  ['a trailing encoded slash', '/v{v}/atlas/visits%2f', 404],
  ['an encoded slash and an identifier', '/v{v}/atlas/visits%2f1', 404],
  ['an encoded backslash', '/v{v}/atlas%5cvisits', 404],
  ['a backslash', '/v{v}\\atlas\\visits', 404],
  ['an encoded question mark', '/v{v}/atlas/visits%3fpage=1', 404],
  ['an encoded hash sign', '/v{v}/atlas/visits%23', 404],
  ['an encoded NUL', '/v{v}/atlas/visits%00', 404],
  ['an encoded line feed', '/v{v}/atlas/visits%0a', 404],
  ['an encoded space', '/v{v}/atlas/visits%20', 404],
  ['a plus sign', '/v{v}/atlas/visits+', 404],
  ['a capital in the version', '/V{v}/atlas/visits', 404],
  ['a capital in the API', '/v{v}/Atlas/visits', 404],
  ['capitals in the service', '/v{v}/atlas/VISITS', 404],
  ['a letter of another script', '/v{v}/atlas/v%C4%B1sits', 404],
  ['a trailing slash', '/v{v}/atlas/visits/', 404],
  ['a trailing double slash', '/v{v}/atlas/visits//', 404],
  ['a leading double slash', '//v{v}/atlas/visits', 404],
  ['a double slash inside', '/v{v}//atlas/visits', 404],
  ['a double slash before the service', '/v{v}/atlas//visits', 404],
  ['a dot segment', '/v{v}/atlas/./visits', 404],
  ['a leading dot segment', '/./v{v}/atlas/visits', 404],
  ['a trailing dot segment', '/v{v}/atlas/visits/.', 401],
  ['two dots', '/v{v}/atlas/countries/../visits', 404],
  ['two dots from elsewhere', '/platform/documentation/../../v{v}/atlas/visits', 404],
  ['two encoded dots', '/v{v}/atlas/countries/%2e%2e/visits', 404],
  ['a matrix parameter', '/v{v}/atlas/visits;a=b', 404],
  ['a matrix parameter in the version', '/v{v};a=b/atlas/visits', 404],
  ['a leading matrix parameter', '/;a=b/v{v}/atlas/visits', 404],
  ['a file extension', '/v{v}/atlas/visits.json', 404],
  ['an absolute form', 'http://127.0.0.1/v{v}/atlas/visits', 401],
  ['an absolute form in capitals', 'HTTP://127.0.0.1/v{v}/atlas/visits', 401],
  ['an absolute form of another host', 'http://example.org/v{v}/atlas/visits', 401],
  ['an absolute form of https', 'https://127.0.0.1/v{v}/atlas/visits', 401],
  ['an absolute form with credentials', 'http://guide:explore@127.0.0.1/v{v}/atlas/visits', 400],
  ['an absolute form with a fragment', 'http://127.0.0.1/v{v}/atlas/visits#x', 401],
  ['an absolute form with a double slash', 'http://127.0.0.1//v{v}/atlas/visits', 404],
  ['a path without its slash', 'v{v}/atlas/visits', 400],
  ['a path after an asterisk', '*/v{v}/atlas/visits', 404],
  ['a path with a space', '/v{v}/atlas/visits x', 400],
  ['a path with a tab', '/v{v}/atlas/visits\t', 400],
  ['a path with a NUL', '/v{v}/atlas/visits\0', 400],
];

/** Credentials that the adapter of the other version accepts. */
const BASIC = 'Basic Z3VpZGU6ZXhwbG9yZQ==';

describe.each([
  { version: '1', credentials: 'no credentials', authorization: [] },
  { version: '2', credentials: 'no credentials', authorization: [] },
  { version: '2', credentials: 'credentials of version 1', authorization: [BASIC] },
])('the visits of version $version, requested with $credentials', ({ version, authorization }) => {
  const bench = useBench();

  it.each(PATHS)('by %s (%s): %i', async (_, path, status) => {
    const target = path.replaceAll('{v}', version);
    const answer = await bench().request({ target, authorization });
    expect(answer.status).toBe(status);
    if (status === 401) bench().expectRefusal(answer);
  });

  it('are not reached from a public service by dot segments in an identifier', async () => {
    for (const identifier of ['..%2fvisits', '%2e%2e%2fvisits', '..%5cvisits', '..%252fvisits']) {
      const answer = await bench().request({ target: `/v${version}/atlas/countries/${identifier}` });
      expect(answer.status).toBe(404);
    }
  });
});

describe('the path of a request with valid credentials', () => {
  const bench = useBench();

  it.each(['/v1/atlas/visits/', '//v1/atlas/visits', '/v1/atlas/%2576isits', '/v1/Atlas/visits'])(
    'leads nowhere else: %s',
    async (target) => {
      expect((await bench().request({ target, authorization: BASIC })).status).toBe(404);
    },
  );

  it('leads to one resource in each spelling', async () => {
    const ways = [targets.basic, '/v1/atlas/%76isits', `http://127.0.0.1${targets.basic}`];
    const answers = await Promise.all(
      ways.map((target) => bench().request({ target, authorization: BASIC })),
    );
    for (const answer of answers) {
      bench().expect(answer, 'is accepted');
      expect(answer.body).toBe(answers[0]?.body);
    }
  });
});
