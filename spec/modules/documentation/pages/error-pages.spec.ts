import { WITH_ADMIN } from '../../../factories/admin/admin';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import type { Module } from '../../../../src/framework';
import { defineApi, defineProcedure, defineRpcService, Problem } from '../../../../src/platform';

const failing: Module = {
  name: 'failing',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Failing',
      versions: {
        1: {
          services: {
            Refuse: defineRpcService({
              route: '/refuse',
              methods: {
                GET: defineProcedure({
                  handler: () => {
                    const errors = [{ code: 'E7', message: 'is closed' }, { message: 'is unknown' }];
                    throw new Problem(409, 'No.', { extensions: { errors } });
                  },
                }),
              },
            }),
            Fail: defineRpcService({
              route: '/fail',
              methods: {
                GET: defineProcedure({
                  handler: () => {
                    throw new Error('inside');
                  },
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

const hidden: Module = {
  name: 'hidden',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Secret',
      visibility: 'authenticated',
      versions: {
        1: {
          services: {
            Secret: defineRpcService({
              route: '/secret',
              methods: { GET: defineProcedure({ handler: () => null }) },
            }),
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ extra: [failing, hidden], local: sampleAuthentication });
});
afterAll(() => platform.stop());

const get = async (
  path: string,
  init: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  } = {},
): Promise<readonly [number, string]> => {
  const headers = { accept: 'text/html, */*;q=0.1', ...init.headers };
  const answer = await platform.request(path, { ...init, headers });
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  return [answer.status, await answer.text()];
};

describe('an error page', () => {
  it('suggests the closest API', async () => {
    const [status, text] = await get('/platform/documentation/Atlsa');
    expect(status).toBe(404);
    expect(text).toContain('Did you mean <a href="/platform/documentation/Atlas">Atlas</a>?');
  });

  it('suggests the closest service of the requested version', async () => {
    const [status, text] = await get('/platform/documentation/Atlas-v1/Contry');
    expect(status).toBe(404);
    expect(text).toContain('Did you mean <a href="/platform/documentation/Atlas-v1/Country">Country</a>?');
  });

  it('names the body where it has an error as a whole', async () => {
    const [status, text] = await get('/v1/atlas/visits', {
      method: 'POST',
      body: '[]',
      headers: {
        authorization: `Basic ${btoa('guide:explore')}`,
        'content-type': 'application/json',
      },
    });
    expect(status).toBe(422);
    expect(text).toContain('<dt>Body</dt>');
  });

  it('shows the code of an error without a place', async () => {
    const [status, text] = await get('/refuse');
    expect(status).toBe(409);
    expect(text).toMatch(/<dt>E7<\/dt>\s*<dd>is closed<\/dd>\s*<dt>–<\/dt>\s*<dd>is unknown<\/dd>/);
  });

  it('suggests nothing if no name is similar', async () => {
    const [, text] = await get('/platform/documentation/Completely');
    expect(text).not.toContain('Did you mean');
    expect(text).toContain('<a href="/platform/documentation/Atlas">Atlas</a>');
  });

  it.each([
    ['/v2/atlas/contries/DE', '/platform/documentation/Atlas-v2/Country', '/v2/atlas/countries/DE'],
    ['/atlas/vists', '/platform/documentation/Atlas-v2/Visit', '/atlas/visits'],
    ['/platform/documentaton', '/platform/documentation', '/platform/documentation'],
    ['/Contry', '/platform/documentation/Atlas-v2/Country', 'Country'],
  ])('suggests a similar page for the unknown path %s', async (path, url, name) => {
    const [status, text] = await get(path);
    expect(status).toBe(404);
    expect(text).toContain(`<a href="${url}"><code>${name}</code></a>`);
  });

  it.each([
    ['an unrelated path', '/nothing/like/it'],
    ['a path that is too long to compare', `/${'a'.repeat(5000)}`],
    ['a path with very many segments', '/a'.repeat(90)],
    ['markup', '/v2/atlas/%3Cscript%3E/x/y'],
  ])('suggests nothing for %s', async (_, path) => {
    const [status, text] = await get(path);
    expect(status).toBe(404);
    expect(text).not.toContain('Similar pages');
    expect(text).not.toContain('<script>');
  });

  it('is that of its path next to a front end', async () => {
    const own = await startTestPlatform({
      modules: [...WITH_ADMIN, 'static-files'],
      local: {
        ...sampleAuthentication,
        'platform-static-files': { folders: { '/': { folder: 'web', fallback: 'index.html' } } },
      },
      files: { 'web/index.html': 'app' },
    });
    try {
      const answer = await own.request('/v2/atlas/contries/DE', { headers: { accept: 'text/html' } });
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('<code>/v2/atlas/countries/DE</code>');
      const admin = await own.request('/platform/admin/nothing', { headers: { accept: 'text/html' } });
      expect([admin.status, admin.headers.get('x-robots-tag')]).toEqual([404, 'noindex']);
    } finally {
      await own.stop();
    }
  });

  it('suggests nothing that is hidden from guests', async () => {
    const [, text] = await get('/v1/secrt');
    expect(text).not.toMatch(/secret/i);
  });

  it('lists the allowed methods', async () => {
    const [status, text] = await get('/platform/documentation', { method: 'POST' });
    expect(status).toBe(405);
    expect(text).toMatch(/POST is not allowed here\. Allowed: GET, HEAD/);
  });

  it('links to the available formats', async () => {
    const [status, text] = await get('/platform/documentation/Atlas?format=pdf');
    expect(status).toBe(406);
    expect(text).toContain('<a href="?format=markdown">markdown</a>');
  });

  it('reveals no internals, except the request ID of the log', async () => {
    const [status, text] = await get('/v1/fail', { headers: { 'x-request-id': 'find-me-7' } });
    expect(status).toBe(500);
    expect(text).not.toContain('inside');
    expect(text).toContain('<code>find-me-7</code>');
  });

  it('shows how long to wait after too many failed sign-ins', async () => {
    const authorization = `Basic ${Buffer.from('guide:wrong').toString('base64')}`;
    let last: readonly [number, string] = [401, ''];
    for (let times = 0; times < 40 && last[0] === 401; times++) {
      const answer = await platform.request('/v1/atlas/visits', {
        headers: { accept: 'text/html', authorization },
      });
      last = [answer.status, await answer.text()];
    }
    expect(last[0]).toBe(429);
    expect(last[1]).toMatch(/<h1>Too Many Requests<\/h1>[\s\S]*Try again in/);
  });
});
