import { defineApi, defineProcedure, defineRpcService } from '../../../../src/modules/hosting';
import type { ConfigObject, Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, bodyOf, fieldsOf, textOf } from '../../../factories/http/requests';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';

/** One public API, and one that is hidden from guests. */
const apis: Module = {
  name: 'visibility',
  requires: ['hosting'],
  apis: (['public', 'authenticated'] as const).map((visibility) =>
    defineApi({
      name: visibility === 'public' ? 'Open' : 'Inside',
      visibility,
      versions: {
        1: {
          services: {
            Hidden: defineRpcService({
              route: `/${visibility}`,
              methods: { GET: defineProcedure({ handler: () => ({}) }) },
            }),
          },
        },
      },
    }),
  ),
};

const ADA = { authorization: basic('ada', 'password') };
const FORMATS = ['application/json', 'text/html', 'application/vnd.apidesc+json'];

const requests: readonly RequestInit[] = [
  {},
  { headers: { accept: 'text/html' } },
  { headers: { accept: 'image/png' } },
  { headers: ADA },
  { method: 'HEAD' },
  { method: 'POST', body: '{}' },
  { method: 'PROPFIND' },
  { method: 'OPTIONS' },
  { method: 'OPTIONS', headers: { origin: 'http://a.example', 'access-control-request-method': 'GET' } },
];

/** The paths below the name of an API. */
const BELOW = ['', '-v1', '-v7', '/Hidden', '-v1/Nothing', '/Hidden?compare=1', '?compare=', '?format=junk'];

/** Returns a response of the documentation with all names replaced. */
async function answerAt(
  platform: TestPlatform,
  name: string,
  below: string,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly text: string; readonly fields: readonly unknown[] }> {
  const answer = await platform.request(`/platform/documentation/${name}${below}`, init);
  const text = (await textOf(answer)).replaceAll(name, 'NAME');
  return { status: answer.status, text, fields: fieldsOf(answer) };
}

describe('an API that is hidden from guests', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const people = authenticatedBy('people');
    platform = await startTestPlatform({
      extra: [apis],
      files: PEOPLE,
      local: {
        'platform-mvc-auth': {
          authentication: {
            ...(people['platform-mvc-auth'] as { authentication: object }).authentication,
            map: { '*': 'people', '@documentation': 'people' },
          },
          // The seconds in a 429 would depend on the time of the test.
          throttling: { failures: 1_000, per_address: 1_000 },
        },
      },
    });
  });
  afterAll(() => platform.stop());

  it.each(FORMATS)('is in the list for users only, as %s', async (accept) => {
    const guests = await (await platform.request('/platform/documentation', { headers: { accept } })).text();
    const users = await (
      await platform.request('/platform/documentation', { headers: { accept, ...ADA } })
    ).text();
    expect(guests).toContain('Open');
    expect(guests).not.toContain('Inside');
    expect(users).toContain('Inside');
  });

  it.each(['Inside', 'Inside-v1', 'Inside/Hidden', 'Inside/Nothing', 'Inside-v7'])(
    'responds 401 to guests at %s',
    async (scope) => {
      const answer = await platform.request(`/platform/documentation/${scope}`);
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain('Hidden');
    },
  );

  it('is documented for users', async () => {
    const answer = await platform.request('/platform/documentation/Inside', { headers: ADA });
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toMatchObject({ name: 'Inside' });
  });

  it('links responses to its documentation for users only, with Vary', async () => {
    for (const [headers, link] of [
      [{}, null],
      [
        ADA,
        expect.stringContaining('</platform/documentation/Inside-v1?format=apidesc>; rel="service-desc"'),
      ],
    ] as const) {
      const answer = await platform.request('/v1/authenticated', { headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('link')).toEqual(link);
      expect(answer.headers.get('vary')).toContain('Authorization');
    }
    const open = await platform.request('/v1/public');
    expect(open.headers.get('link')).toContain('Open-v1?format=apidesc>; rel="service-desc"');
    expect(open.headers.get('vary') ?? '').not.toContain('Authorization');
  });

  it('is not among the available APIs of a 404', async () => {
    const answer = await platform.request('/platform/documentation/Insid', { headers: ADA });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('Inside');
  });

  it.each(BELOW)('responds 401 to guests like for an unknown name: "%s"', async (below) => {
    for (const init of requests.filter(({ headers }) => headers !== ADA)) {
      const hidden = await answerAt(platform, 'Inside', below, init);
      expect(hidden).toEqual(await answerAt(platform, 'Nobody', below, init));
    }
    expect((await answerAt(platform, 'Nobody', below)).status).toBe(401);
    const wrong = { headers: { authorization: basic('ada', 'wrong') } };
    const refused = await answerAt(platform, 'Inside', below, wrong);
    expect(refused).toEqual(await answerAt(platform, 'Nobody', below, wrong));
    expect(refused.status).toBe(401);
  });
});

describe('a hidden API without an adapter', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [apis] })));
  afterAll(() => platform.stop());

  it.each(BELOW)('responds 404 at its name and "%s" like an unknown name', async (below) => {
    for (const init of requests) {
      const hidden = await answerAt(platform, 'Inside', below, init);
      expect(hidden).toEqual(await answerAt(platform, 'Nobody', below, init));
      expect(hidden.status).toBe(404);
    }
  });

  it('does not link responses to its documentation', async () => {
    const answer = await platform.request('/v1/authenticated', { headers: ADA });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('link')).toBeNull();
  });
});

describe('a hidden API with an adapter other than that of the documentation', () => {
  const people = authenticatedBy('people')['platform-mvc-auth'] as { readonly authentication: object };
  const start = (map: object, rules: object = {}): Promise<TestPlatform> =>
    startTestPlatform({
      extra: [apis],
      files: PEOPLE,
      local: {
        'platform-mvc-auth': { authentication: { ...people.authentication, map }, authorization: rules },
      } as ConfigObject,
    });

  it.each([[{ Inside: 'people' }], [{ '*': 'people' }], [{ 'Inside-v1/Hidden': 'people' }]])(
    'responds 404 to everybody, without links to it, with the map %j',
    async (map) => {
      const platform = await start(map);
      try {
        for (const below of BELOW) {
          for (const init of [...requests, { headers: { authorization: basic('ada', 'wrong') } }]) {
            const hidden = await answerAt(platform, 'Inside', below, init);
            expect(hidden).toEqual(await answerAt(platform, 'Nobody', below, init));
            expect(hidden.status).toBe(404);
          }
        }
        const answer = await platform.request('/v1/authenticated', { headers: ADA });
        expect([answer.status, answer.headers.get('link')]).toEqual([200, null]);
        expect(platform.application.warnings.join()).toContain(
          'The documentation of the API "Inside" is hidden from guests, and nobody can sign in to read it',
        );
      } finally {
        await platform.stop();
      }
    },
  );

  it('responds like an unknown name if the documentation requires authentication', async () => {
    const platform = await start({ Inside: 'people', Open: 'people' }, { '@documentation': 'authenticated' });
    try {
      for (const init of requests)
        expect(await answerAt(platform, 'Inside', '', init)).toEqual(
          await answerAt(platform, 'Nobody', '', init),
        );
      expect((await answerAt(platform, 'Open', '')).status).toBe(401);
    } finally {
      await platform.stop();
    }
  });
});

describe('a hidden API with authentication by a module', () => {
  let platform: TestPlatform;
  const sessions: Module = {
    name: 'sessions',
    requires: ['mvc-auth'],
    onBootstrap: ({ application: { events } }) => {
      events.attach('authentication', ({ request }) =>
        request.header('cookie') === 'ada' ? { name: 'ada', isGuest: false, groups: [] } : undefined,
      );
    },
  };
  beforeAll(async () => {
    platform = await startTestPlatform({ extra: [apis, sessions] });
  });
  afterAll(() => platform.stop());

  it.each(['text/html', 'text/markdown'])(
    'is described in %s with the users of the module',
    async (accept) => {
      const local = {
        'platform-mvc-auth': { authorization: { Inside: { Hidden: { GET: 'authenticated' } } } },
      };
      const guarded = await startTestPlatform({ extra: [apis, sessions], local });
      const shown = await guarded.request('/platform/documentation/Inside/Hidden', {
        headers: { accept, cookie: 'ada' },
      });
      const text = (await shown.text()).replace(/<[^>]+>/g, '');
      expect(text).toContain('except users authenticated by a module of the service');
      expect(text).not.toContain('Not accessible');
      await guarded.stop();
    },
  );

  it.each(BELOW)('responds at "%s" like an unknown name', async (below) => {
    for (const init of requests)
      expect(await answerAt(platform, 'Inside', below, init)).toEqual(
        await answerAt(platform, 'Nobody', below, init),
      );
  });

  it.each([
    [404, {}],
    [200, { cookie: 'ada' }],
  ])('responds %d to a request with %j', async (status, headers) => {
    expect((await platform.request('/platform/documentation/Inside', { headers })).status).toBe(status);
    const { headers: fields } = await platform.request('/v1/authenticated', { headers });
    expect(fields.has('link')).toBe(status === 200);
  });
});

describe('documentation that requires authentication', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const people = authenticatedBy('people')['platform-mvc-auth'] as { readonly authentication: object };
    platform = await startTestPlatform({
      extra: [apis],
      files: PEOPLE,
      local: {
        'platform-mvc-auth': {
          authentication: { ...people.authentication, map: { '*': 'people' } },
          authorization: { '@documentation': ['ada'] },
        },
      },
    });
  });
  afterAll(() => platform.stop());

  it('is linked in responses to its readers only', async () => {
    const bob = { authorization: basic('bob', 'password') };
    for (const [path, isLed] of [
      ['/v1/public', true],
      // Nobody can authenticate to read hidden documentation, because "@documentation" is not mapped.
      ['/v1/authenticated', false],
    ] as const) {
      const answers = await Promise.all([{}, ADA, bob].map((headers) => platform.request(path, { headers })));
      expect(answers.map(({ headers }) => headers.has('link'))).toEqual([false, isLed, false]);
    }
  });
});
