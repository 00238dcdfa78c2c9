import fc from 'fast-check';
import { CorsPolicy } from '../../../../src/modules/hosting/cors/cors';
import { startTestPlatform, sampleAuthentication, type TestPlatform } from '../../../factories/platform';
import { GalleryModule } from '../../../fixtures/gallery-module';
import { urlOrigin } from '../../../factories/http/any-url';

const APP = 'https://app.example';

describe('an API with CORS', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      extra: [new GalleryModule()],
      local: {
        ...sampleAuthentication,
        'platform-mvc-auth': {
          ...(sampleAuthentication['platform-mvc-auth'] as object),
          authorization: { deny_by_default: false },
        },
      },
    });
  });
  afterAll(() => platform.stop());

  const preflight = (path: string, origin: string, method = 'GET') =>
    platform.request(path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'x-any',
      },
    });
  const ask = (path: string, origin?: string) =>
    platform.request(path, origin === undefined ? {} : { headers: { Origin: origin } });
  const fieldsOf = ({ headers }: Response): Record<string, string> =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

  it('responds to a preflight with what is allowed', async () => {
    const answer = await preflight('/gallery/pictures', APP, 'POST');
    expect(answer.status).toBe(204);
    expect(fieldsOf(answer)).toEqual({
      'access-control-allow-origin': APP,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, HEAD, OPTIONS',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id, traceparent',
      'access-control-max-age': '600',
    });
    expect(answer.headers.get('vary')).toBe('Origin');
  });

  it('responds to a preflight as configured', async () => {
    expect(fieldsOf(await preflight('/clock', 'https://any.example'))).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': expect.stringMatching(/, X-Own$/) as unknown,
      'access-control-max-age': '5',
    });
  });

  it.each([
    ['GET', { Origin: APP, 'Access-Control-Request-Method': 'GET' }, 200],
    ['OPTIONS', { Origin: APP }, 204],
    ['OPTIONS', { 'Access-Control-Request-Method': 'GET' }, 204],
  ])(
    'does not take %s with %j for a preflight (Fetch, "CORS-preflight request")',
    async (method, headers, status) => {
      for (const path of ['/gallery/pictures/1', '/clock']) {
        const answer = await platform.request(path, { method, headers });
        expect([path, answer.status]).toEqual([path, status]);
        expect(Object.keys(fieldsOf(answer))).not.toContain('access-control-allow-methods');
        expect(answer.headers.has('allow')).toBe(method === 'OPTIONS');
      }
    },
  );

  it.each([APP, 'https://one.partner.example', 'https://a.b.partner.example'])(
    'lets %s read responses',
    async (origin) => {
      const answer = await ask('/gallery/pictures/1', origin);
      expect(answer.status).toBe(200);
      expect(fieldsOf(answer)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers':
          'Deprecation, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id',
      });
    },
  );

  it.each([
    'https://evil.example',
    'http://app.example',
    'https://app.example:8443',
    'https://app.example.evil.example',
    'https://partner.example',
    'https://evilpartner.example',
    'https://evil.example/.partner.example',
    'null',
  ])('sends no CORS headers to %s', async (origin) => {
    const answer = await ask('/gallery/pictures/1', origin);
    expect(fieldsOf(answer)).toEqual({});
    expect(answer.headers.get('vary')).toContain('Origin');
    const before = await preflight('/gallery/pictures/1', origin);
    expect([before.status, fieldsOf(before)]).toEqual([204, {}]);
    expect(before.headers.get('allow')).toContain('GET');
  });

  it('sends Vary: Origin also without an Origin', async () => {
    expect((await ask('/gallery/pictures/1')).headers.get('vary')).toBe('Accept, Origin');
    expect((await ask('/clock', APP)).headers.get('vary')).toBe('Accept');
  });

  it('lets every page read what a cache keeps of a request without an Origin, if all origins are allowed', async () => {
    expect(fieldsOf(await ask('/clock'))).toEqual(fieldsOf(await ask('/clock', APP)));
    expect(fieldsOf(await ask('/clock'))['access-control-allow-origin']).toBe('*');
    expect(fieldsOf(await ask('/gallery/pictures/1'))).toEqual({});
  });

  it('lets problem responses be read too', async () => {
    for (const path of ['/gallery/pictures/99', '/v9/gallery/pictures', '/gallery/guide?kind=circle']) {
      const answer = await ask(path, APP);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(fieldsOf(answer)['access-control-allow-origin']).toBe(APP);
    }
  });

  it('leaves APIs without a declaration unchanged', async () => {
    expect(fieldsOf(await ask('/atlas/countries/DE', APP))).toEqual({});
    expect((await ask('/atlas/countries/DE', APP)).headers.get('vary') ?? '').not.toContain('Origin');
  });
});

describe('a declaration of origins', () => {
  const API = (): string => 'The API Shop';

  it.each([
    [{ origins: ['*'], credentials: true }, 'allows every origin ("*") with credentials'],
    [{ origins: ['shop.example'] }, 'cors lists "shop.example", which is not an origin'],
    [{ origins: ['https://shop.example/'] }, 'which is not an origin'],
    [{ origins: ['https://shop.example:443'] }, 'which is not an origin'],
    [{ origins: ['null'] }, 'which is not an origin'],
    [{ origins: ['https://a.*.example'] }, 'which is not an origin'],
    [{ origins: ['https://shop.example'], headers: ['X Y'] }, 'not a valid header or method name'],
    [{ origins: ['https://shop.example'], methods: ['GET,PUT'] }, 'cors has "GET,PUT"'],
    [{ origins: ['https://shop.example'], expose: ['X Y'] }, 'cors has "X Y"'],
    [{ origins: ['https://shop.example'], expose: [''] }, 'cors has ""'],
  ])('%j is rejected at startup', (definition, message) => {
    expect(() => new CorsPolicy(definition, API)).toThrow(message);
  });

  it('allows an origin in any letter case, as browsers write it', () => {
    const policy = new CorsPolicy({ origins: ['https://Shop.example', 'https://*.Partner.example'] }, API);
    for (const origin of ['https://shop.example', 'https://a.partner.example', 'https://SHOP.example'])
      expect([origin, policy.allows(origin)]).toEqual([origin, true]);
    expect(policy.allows('https://other.example')).toBe(false);
  });

  it.each([
    'http://a.partner.example',
    // As long as the scheme and a label together: the scheme itself is compared.
    'http://ab.partner.example',
    'https://evil.example:1.partner.example',
    'https://evil.example/a.partner.example',
    'https://partner.example',
    'https://a.partner.example.',
  ])('with a wildcard does not allow %s', (origin) => {
    const policy = new CorsPolicy({ origins: ['https://*.partner.example'] }, API);
    expect(policy.fields(origin)).toEqual([]);
    expect(policy.fields('https://a.partner.example')).not.toEqual([]);
  });

  it('lets browsers send credentials only where it says so (Fetch, "CORS protocol")', () => {
    const allowed = (credentials?: boolean): string | undefined => {
      const origins = ['https://shop.example'];
      const policy = new CorsPolicy(credentials === undefined ? { origins } : { origins, credentials }, API);
      return new Map(policy.fields('https://shop.example')).get('Access-Control-Allow-Credentials');
    };
    expect([allowed(true), allowed(false), allowed()]).toEqual(['true', undefined, undefined]);
  });

  it('adds names to those of the platform, each once', () => {
    const policy = new CorsPolicy(
      { origins: ['*'], expose: ['X-Own', 'etag'], headers: ['X-Sent', 'content-type'] },
      API,
    );
    const exposed = new Map(policy.fields('https://a.example')).get('Access-Control-Expose-Headers');
    expect(exposed?.split(', ')).toEqual(expect.arrayContaining(['X-Own', 'etag', 'Location']));
    expect(exposed).not.toContain('ETag');
    const fields = new Map(policy.preflight('https://a.example', 'GET', ['X-Key']));
    const allowed = fields.get('Access-Control-Allow-Headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['Authorization', 'X-Key', 'X-Sent', 'content-type']));
    expect(allowed).not.toContain('Content-Type');
  });

  it('allows what it lists and nothing else', () => {
    const policy = new CorsPolicy({ origins: ['https://a.example', 'https://*.b.example'] }, API);
    const origin = fc.oneof(
      urlOrigin().map((url) => new URL(url).origin),
      fc.string(),
    );
    fc.assert(
      fc.property(origin, (one) => {
        const listed = one === 'https://a.example' || /^https:\/\/([a-z0-9-]+\.)+b\.example$/.test(one);
        expect(policy.fields(one).length > 0).toBe(listed);
      }),
    );
  });
});
