import { defineApi, defineProcedure, defineRpcService } from '../../../src/modules/hosting';
import type { ConfigObject, Module } from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { basic, bodyOf, fieldsOf, textOf } from '../../factories/requests';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';

/** One API for everyone, and one that guests are told nothing of. */
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

const asked: readonly RequestInit[] = [
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

/** What is behind the name of an API. */
const BELOW = ['', '-v1', '-v7', '/Hidden', '-v1/Nothing', '/Hidden?compare=1', '?compare=', '?format=junk'];

/** An answer of the documentation, in which all names are the same. */
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

describe('an API that only users are told of', () => {
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
        },
      },
    });
  });
  afterAll(() => platform.stop());

  it.each(FORMATS)('is absent from the list for guests, and there for users, as %s', async (accept) => {
    const guests = await (await platform.request('/platform/documentation', { headers: { accept } })).text();
    const users = await (
      await platform.request('/platform/documentation', { headers: { accept, ...ADA } })
    ).text();
    expect(guests).toContain('Open');
    expect(guests).not.toContain('Inside');
    expect(users).toContain('Inside');
  });

  it.each(['Inside', 'Inside-v1', 'Inside/Hidden', 'Inside/Nothing', 'Inside-v7'])(
    'asks guests who want to read of %s to sign in',
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

  it('leads from its answers to its documentation for users alone, and says that answers differ', async () => {
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

  it('is not named among the APIs there are', async () => {
    const answer = await platform.request('/platform/documentation/Insid', { headers: ADA });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('Inside');
  });

  it.each(BELOW)('asks guests to sign in as at a name that does not exist: "%s"', async (below) => {
    for (const init of asked.filter(({ headers }) => headers !== ADA)) {
      const hidden = await answerAt(platform, 'Inside', below, init);
      expect(hidden).toEqual(await answerAt(platform, 'Nobody', below, init));
    }
    expect((await answerAt(platform, 'Nobody', below)).status).toBe(401);
    const wrong = { headers: { authorization: basic('ada', 'wrong') } };
    expect(await answerAt(platform, 'Inside', below, wrong)).toEqual(
      await answerAt(platform, 'Nobody', below, wrong),
    );
  });
});

describe('an API that is hidden where nobody can sign in', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [apis] })));
  afterAll(() => platform.stop());

  it.each(BELOW)('is not found at its name and "%s", like what is not there', async (below) => {
    for (const init of asked) {
      const hidden = await answerAt(platform, 'Inside', below, init);
      expect(hidden).toEqual(await answerAt(platform, 'Nobody', below, init));
      expect(hidden.status).toBe(404);
    }
  });

  it('is not led to by its own answers', async () => {
    const answer = await platform.request('/v1/authenticated', { headers: ADA });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('link')).toBeNull();
  });
});

describe('an API that is hidden, and has an adapter that is not that of the documentation', () => {
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
    'is not found by anyone, and leads nobody there, where the map is %j',
    async (map) => {
      const platform = await start(map);
      try {
        for (const below of BELOW) {
          for (const init of [...asked, { headers: { authorization: basic('ada', 'wrong') } }]) {
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

  it('answers like a name that does not exist where all of the documentation needs a user', async () => {
    const platform = await start({ Inside: 'people', Open: 'people' }, { '@documentation': 'authenticated' });
    try {
      for (const init of asked)
        expect(await answerAt(platform, 'Inside', '', init)).toEqual(
          await answerAt(platform, 'Nobody', '', init),
        );
      expect((await answerAt(platform, 'Open', '')).status).toBe(401);
    } finally {
      await platform.stop();
    }
  });
});

describe('an API that is hidden where a module finds out who asks', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const sessions: Module = {
      name: 'sessions',
      requires: ['mvc-auth'],
      onBootstrap: ({ application: { events } }) => {
        events.attach('authentication', ({ request }) =>
          request.header('cookie') === 'ada' ? { name: 'ada', isGuest: false, groups: [] } : undefined,
        );
      },
    };
    platform = await startTestPlatform({ extra: [apis, sessions] });
  });
  afterAll(() => platform.stop());

  it.each(BELOW)('is at "%s" like what is not there', async (below) => {
    for (const init of asked)
      expect(await answerAt(platform, 'Inside', below, init)).toEqual(
        await answerAt(platform, 'Nobody', below, init),
      );
  });

  it.each([
    [404, {}],
    [200, { cookie: 'ada' }],
  ])('is answered with %d to who asks with %j', async (status, headers) => {
    expect((await platform.request('/platform/documentation/Inside', { headers })).status).toBe(status);
    const { headers: fields } = await platform.request('/v1/authenticated', { headers });
    expect(fields.has('link')).toBe(status === 200);
  });
});

describe('documentation that is closed to guests', () => {
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

  it('is led to by answers to those alone who may read it', async () => {
    const bob = { authorization: basic('bob', 'password') };
    for (const [path, isLed] of [
      ['/v1/public', true],
      // Nobody can sign in to read of what is hidden, as nothing is mapped to "@documentation".
      ['/v1/authenticated', false],
    ] as const) {
      const answers = await Promise.all([{}, ADA, bob].map((headers) => platform.request(path, { headers })));
      expect(answers.map(({ headers }) => headers.has('link'))).toEqual([false, isLed, false]);
    }
  });
});
