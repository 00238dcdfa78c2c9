import { Type } from '@sinclair/typebox';
import { defineApi, defineProcedure, defineRpcService } from '../../../../src/modules/hosting';
import type { ConfigObject, Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, fieldsOf, textOf } from '../../../factories/http/requests';
import { PEOPLE, peopleAdapter } from '../../../fixtures/people';

const service = (route: string, extra: object = {}) =>
  defineRpcService({
    route: `/${route}`,
    description: `About ${route}.`,
    methods: {
      GET: defineProcedure({
        handler: () => ({}),
        response: Type.Object({ [`${route}_field`]: Type.String() }),
      }),
    },
    ...extra,
  });

/** Version 1 hides one service in code and another by configuration; version 2 hides only one of them. */
const club: Module = {
  name: 'club',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Club',
      default_version: 1,
      versions: {
        1: {
          services: {
            Hall: service('hall'),
            Board: service('board', { visibility: 'authenticated' }),
            Cellar: service('cellar'),
          },
        },
        2: { inherits: 1, services: { Board: { visibility: 'public' } as never } },
        3: { services: { Hall: service('hall') } },
      },
    }),
  ],
};

const cellar = { services: { Cellar: { visibility: 'authenticated' } } };
const start = (
  map: Readonly<Record<string, string>>,
  authorization: ConfigObject = {},
): Promise<TestPlatform> =>
  startTestPlatform({
    extra: [club],
    files: PEOPLE,
    local: {
      'platform-hosting': { apis: { Club: { versions: { 1: cellar, 2: cellar } } } },
      'platform-mvc-auth': {
        authentication: {
          adapters: { people: peopleAdapter('people'), strangers: peopleAdapter('strangers') },
          map,
        },
        authorization,
      },
    },
  });

const ADA = { authorization: basic('ada', 'password') };
const DOCUMENTATION = '/platform/documentation';
const FORMATS = ['json', 'html', 'apidesc', 'openapi', 'yaml', 'swagger', 'markdown'];
/** Text that would reveal a hidden service: its name and description. */
const HIDDEN = /board|cellar/i;

describe('a service that is hidden from guests', () => {
  let platform: TestPlatform;
  const read = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await platform.request(path, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  beforeAll(async () => (platform = await start({ '*': 'people', '@documentation': 'people' })));
  afterAll(() => platform.stop());

  const scopes = ['', '/Club', '/Club-v1', '/Club-v1/Hall', '/Club-v3'];
  const places = scopes.flatMap((scope) =>
    FORMATS.map((format) => `${DOCUMENTATION}${scope}?format=${format}`),
  );
  const others = ['json', 'html', 'markdown'].map(
    (format) => `${DOCUMENTATION}/Club-v3?compare=1&format=${format}`,
  );

  it.each([...places, ...others])(
    'is absent for guests at %s, even after users have read it',
    async (path) => {
      for (const headers of [{}, ADA, {}]) {
        const text = await read(path, headers);
        if (headers !== ADA) expect(text).not.toMatch(HIDDEN);
      }
    },
  );

  it('is in the API catalog only for versions that show it', async () => {
    for (const headers of [{}, ADA, {}]) {
      const text = await read('/.well-known/api-catalog', headers);
      expect(text).not.toMatch(/cellar|v[13]\/board/i);
      expect(text).toContain('"/v2/board"');
    }
  });

  it.each(FORMATS)('is visible to users as %s, with a different entity tag', async (format) => {
    const path = `${DOCUMENTATION}/Club?format=${format}`;
    const text = await read(path, ADA);
    expect(text).toMatch(/board/i);
    expect(text).toMatch(/cellar/i);
    const tags = await Promise.all(
      [{}, ADA].map(async (headers) => (await platform.request(path, { headers })).headers.get('etag')),
    );
    expect(new Set(tags).size).toBe(2);
    const cached = await platform.request(path, {
      headers: { ...ADA, 'if-none-match': tags[0] ?? '' },
    });
    expect(cached.status).toBe(200);
    expect(cached.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('is in the search and the comparisons of users only', async () => {
    // Version 2 shows one of them.
    const hidden = /cellar|Club-v1\/Board/i;
    for (const query of ['club', 'b', 'c', 'services'])
      expect(await read(`/platform/search?q=${query}`)).not.toMatch(hidden);
    expect(await read('/platform/search?q=club', ADA)).toMatch(hidden);
    expect(await read(`${DOCUMENTATION}/Club-v3?compare=1`, ADA)).toMatch(HIDDEN);
  });

  it.each([
    '/Club/Board',
    '/Club-v1/Board',
    '/Club-v2/Cellar',
    '/Club/Cellar?compare=2',
    '/Club-v2/Board?compare=1',
    '/Club/Board?format=yaml',
  ])('responds 401 to guests at %s, and is shown to users', async (scope) => {
    const answer = await platform.request(DOCUMENTATION + scope);
    expect(answer.status).toBe(401);
    expect(await read(DOCUMENTATION + scope, ADA)).toMatch(HIDDEN);
  });

  it('may be visible in another version, which does not link to the hidden one', async () => {
    const page = await read(`${DOCUMENTATION}/Club-v2/Board?format=html`);
    expect(page).toContain('href="/platform/documentation/Club-v1"');
    expect(page).not.toContain('Club-v1/Board"');
    expect(page).not.toMatch(/cellar/i);
    const forUsers = await read(`${DOCUMENTATION}/Club-v2/Board?format=html`, ADA);
    expect(forUsers).toContain('href="/platform/documentation/Club-v1/Board"');
  });

  it.each(['json', 'html', 'markdown'])(
    'is omitted from comparisons for guests, even if one version shows it, as %s',
    async (format) => {
      for (const path of ['/Club-v2?compare=1', '/Club-v1?compare=2']) {
        const query = `${DOCUMENTATION}${path}&format=${format}`;
        expect(await read(query)).not.toMatch(HIDDEN);
      }
    },
  );

  it('does not link to comparisons that are hidden from guests', async () => {
    const page = `${DOCUMENTATION}/Club-v2/Board?format=html`;
    expect(await read(page)).not.toContain('?compare=1');
    expect(await read(page, ADA)).toContain('Club-v2/Board?compare=1');
  });

  it('responds to guests like for an unknown service, for which users get a 404', async () => {
    const ask = async (service: string, headers: Record<string, string> = {}): Promise<unknown[]> => {
      const answer = await platform.request(`${DOCUMENTATION}/Club/${service}`, { headers });
      return [answer.status, await textOf(answer), fieldsOf(answer)];
    };
    expect(await ask('Nothing')).toEqual(await ask('Board'));
    const wrong = { authorization: basic('ada', 'wrong') };
    expect(await ask('Nothing', wrong)).toEqual(await ask('Board', wrong));
    const [status, text] = await ask('Boar', ADA);
    expect(status).toBe(404);
    expect(text).toContain('"did_you_mean":"Board"');
  });

  it('is not among the available services of a 404', async () => {
    const answer = await platform.request(`${DOCUMENTATION}/Club-v3/Boar`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toMatch(/"(Board|Cellar)"/);
  });

  it('can be called as usual', async () => {
    expect((await platform.request('/v1/board')).status).toBe(200);
  });
});

describe('a hidden service without an adapter for its documentation', () => {
  let platform: TestPlatform;
  // The challenge of its own guard would reveal it.
  beforeAll(async () => (platform = await start({ 'Club/Cellar': 'strangers' })));
  afterAll(() => platform.stop());

  it.each(['/Club', '/Club-v1', '/Club-v2', '/Club-v9'])(
    'responds 404 below %s like an unknown service',
    async (scope) => {
      const requests: readonly RequestInit[] = [
        {},
        { headers: { accept: 'text/html' } },
        { headers: { accept: 'image/png' } },
        { headers: ADA },
        { method: 'HEAD' },
        { method: 'POST', body: '{}' },
        { method: 'OPTIONS' },
      ];
      for (const query of ['', '?format=yaml', '?compare=3']) {
        for (const init of requests) {
          const ask = async (name: string) => {
            const answer = await platform.request(`${DOCUMENTATION}${scope}/${name}${query}`, init);
            const text = (await textOf(answer)).replaceAll(name, 'NAME');
            return { status: answer.status, text, fields: fieldsOf(answer) };
          };
          const hidden = await ask('Cellar');
          expect(hidden).toEqual(await ask('Cellos'));
          if (init.method === undefined && init.headers === undefined) expect(hidden.status).toBe(404);
        }
      }
    },
  );

  it('causes a warning at startup', () => {
    expect(platform.application.warnings).toContainEqual(
      expect.stringContaining('"Club-v1/Cellar" is hidden from guests, and nobody can sign in to read it'),
    );
  });

  it('cannot be compared, like a service that one version does not have', async () => {
    for (const name of ['Board', 'Hall']) {
      const answer = await platform.request(`${DOCUMENTATION}/Club-v2/${name}?compare=1`);
      expect([name, answer.status]).toEqual([name, name === 'Hall' ? 200 : 404]);
    }
  });
});

describe('the documentation of a service', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start(
      {
        Club: 'people',
        'Club-v1/Board': 'strangers',
        'Club/Cellar': 'strangers',
        '@documentation': 'people',
      },
      { '@documentation': 'authenticated' },
    );
  });
  afterAll(() => platform.stop());

  it.each([
    ['/Club', 'people'],
    ['/Club-v1/Board', 'strangers'],
    ['/Club-v2/Board', 'people'],
    ['/Club-v2/Cellar', 'strangers'],
    ['/Club/Hall', 'people'],
    ['/Club/Nothing', 'people'],
  ])(
    '%s is guarded by the adapter %s: that of the service, otherwise that of its API',
    async (scope, realm) => {
      const answer = await platform.request(DOCUMENTATION + scope);
      expect(answer.headers.get('www-authenticate')).toContain(`realm="${realm}"`);
    },
  );
});
