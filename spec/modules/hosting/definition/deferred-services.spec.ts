import { Catalogue, deferServices } from '../../../../src/modules/hosting';
import {
  ContainerModule,
  defineRestService,
  defineRpcService,
  Type,
  type AuthorizationPolicy,
  type ConfigObject,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { authenticatedBy, PEOPLE, peopleAdapter } from '../../../fixtures/people';

const MODULES = [...HOSTING, 'documentation', 'documentation-apidesc'];

/** Declares an API on first use, and records that. */
class LaterModule implements Module {
  readonly name = 'later';
  readonly requires = ['hosting'];
  declared = 0;

  readonly apis = [
    deferServices({ name: 'Later', base_path: '/later', visibility: 'authenticated' }, () => {
      this.declared++;
      return {
        Thing: defineRestService({
          route: '/things[/:thing_id]',
          route_identifier_name: 'thing_id',
          fields: Type.Object({ thing_id: Type.String() }),
          authorization: 'authenticated',
          collection: { GET: { query: Type.Object({ count: Type.Optional(Type.Integer()) }) } },
          entity: { GET: {} },
          resource: { fetchAll: () => [{ thing_id: 'one' }], fetch: (thing_id: string) => ({ thing_id }) },
        }),
        Clock: defineRpcService({ route: '/clock', methods: { POST: { handler: () => ({ time: 12 }) } } }),
      };
    }),
  ];
}

/** A Basic adapter for the API and for the documentation. */
const PEOPLE_EVERYWHERE: ConfigObject = {
  'platform-mvc-auth': {
    authentication: {
      adapters: { people: peopleAdapter() },
      map: { '*': 'people', '@documentation': 'people' },
    },
  },
};

/** A Basic adapter for all APIs. */
const PEOPLE_FOR_ALL: ConfigObject = {
  'platform-mvc-auth': {
    authentication: { adapters: { people: peopleAdapter() }, map: { '*': 'people' } },
  },
};

interface Started {
  readonly platform: TestPlatform;
  readonly later: LaterModule;
}

async function start(local: ConfigObject = {}): Promise<Started> {
  const later = new LaterModule();
  const platform = await startTestPlatform({
    modules: MODULES,
    extra: [later],
    local: { ...PEOPLE_EVERYWHERE, ...local },
    files: PEOPLE,
  });
  return { platform, later };
}

const authorization = basic('ada', 'password');

describe('an API whose services are declared on first use', () => {
  let started: Started;

  beforeEach(async () => {
    started = await start();
  });

  afterEach(async () => {
    await started.platform.stop();
  });

  it('is neither declared nor compiled by a start', () => {
    expect(started.later.declared).toBe(0);
  });

  it('responds to its first request, and is declared once', async () => {
    const { platform, later } = started;
    const responses = await Promise.all(
      ['/later/things?count=2', '/later/v1/things/7', '/later/things'].map((path) =>
        platform.request(path, { headers: { authorization } }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await Promise.all(responses.map((response) => response.json()))).toEqual([
      [{ thing_id: 'one' }],
      { thing_id: '7' },
      [{ thing_id: 'one' }],
    ]);
    expect(later.declared).toBe(1);
  });

  it('authenticates, validates and refuses its first request as any other API', async () => {
    const { platform } = started;
    const statusOf = async (path: string, init?: RequestInit): Promise<number> =>
      (await platform.request(path, init)).status;
    expect(await statusOf('/later/things')).toBe(401);
    expect(await statusOf('/later/things?count=two', { headers: { authorization } })).toBe(400);
    expect(await statusOf('/later/v2/things', { headers: { authorization } })).toBe(404);
    expect(await statusOf('/later/things', { method: 'DELETE', headers: { authorization } })).toBe(405);
    const options = await platform.request('/later/clock', { method: 'OPTIONS', headers: { authorization } });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  });

  it.each(['/later', '/later/nothing', '/later/v1/nothing', '/later/things/1/2'])(
    'has no resource at %s, before and after its first request',
    async (path) => {
      const { platform } = started;
      const before = await platform.request(path);
      await platform.request('/later/things');
      const after = await platform.request(path);
      for (const response of [before, after]) {
        expect(response.status).toBe(404);
        expect(await bodyOf(response)).toMatchObject({
          type: '/platform/errors#route_not_found',
          detail: `No resource found at ${path}.`,
        });
      }
    },
  );

  it('does not have paths that begin with the same text as its base path', async () => {
    const { platform, later } = started;
    expect((await platform.request('/laterally')).status).toBe(404);
    expect(later.declared).toBe(0);
  });

  it('is listed without being declared, and documented when its documentation is requested', async () => {
    const { platform, later } = started;
    const read = async (path: string): Promise<unknown> => {
      const headers = { authorization, accept: 'application/json' };
      return (await platform.request(`/platform/documentation${path}`, { headers })).json();
    };
    expect(await read('')).toEqual([{ name: 'Later', versions: [1] }]);
    expect(later.declared).toBe(0);
    expect(await read('/Later-v1')).toMatchObject({
      name: 'Later',
      services: [
        { name: 'Thing', route: '/things[/:thing_id]' },
        { name: 'Clock', route: '/clock' },
      ],
    });
    expect(await read('/Later-v1/Clock')).toMatchObject({ name: 'Clock' });
    expect(later.declared).toBe(1);
    const headers = { accept: 'application/json' };
    expect((await platform.request('/platform/documentation/Later-v1', { headers })).status).toBe(401);
  });

  it('is complete in the catalogue', async () => {
    const catalogue = await started.platform.application.services.get(Catalogue);
    expect(catalogue.operations.map(({ name }) => name)).toEqual([
      'Later-v1/Thing collection GET',
      'Later-v1/Thing entity GET',
      'Later-v1/Clock POST',
    ]);
  });

  it('is deferred again after a reload', async () => {
    const { platform, later } = started;
    await platform.request('/later/things');
    await platform.host.reload();
    expect(later.declared).toBe(1);
    expect((await platform.request('/later/things', { headers: { authorization } })).status).toBe(200);
  });
});

describe('configuration of an API whose services are declared on first use', () => {
  it('changes its services as those of any other API', async () => {
    const Thing = { description: 'Changed.', route: '/changed[/:thing_id]' };
    const { platform, later } = await start({
      'platform-hosting': { apis: { Later: { versions: { 1: { services: { Thing, Clock: null } } } } } },
    });
    try {
      expect(later.declared).toBe(1);
      const statuses = await Promise.all(
        ['/later/changed/7', '/later/things/7', '/later/clock'].map(
          async (path) => (await platform.request(path, { headers: { authorization } })).status,
        ),
      );
      expect(statuses).toEqual([200, 404, 404]);
    } finally {
      await platform.stop();
    }
  });

  it('names its services in access rules and rate limits', async () => {
    const { platform } = await start({
      ...authenticatedBy('people', {
        authorization: { Later: { Thing: { collection: { GET: 'guest' } } } },
      }),
      'platform-rate-limits': { 'Later/Thing entity GET': [{ limit: 1, window: 600, per: 'user' }] },
    });
    try {
      expect((await platform.request('/later/things')).status).toBe(200);
      const read = async (): Promise<number> =>
        (await platform.request('/later/things/7', { headers: { authorization } })).status;
      expect([await read(), await read()]).toEqual([200, 429]);
    } finally {
      await platform.stop();
    }
  });

  it('has rules that ask a policy of the container', async () => {
    const later = new LaterModule();
    const policies: Module = {
      name: 'policies',
      services: new ContainerModule(({ bind }) => {
        const policy: AuthorizationPolicy = { permits: ({ identity }) => identity.name === 'bob' };
        bind('only-bob').toConstantValue(policy);
      }),
    };
    const platform = await startTestPlatform({
      modules: MODULES,
      extra: [later, policies],
      files: PEOPLE,
      local: authenticatedBy('people', {
        authorization: { Later: { Thing: { collection: { GET: { policy: 'only-bob' } } } } },
      }),
    });
    try {
      const statusFor = async (user: string): Promise<number> => {
        const headers = { authorization: basic(user, 'password') };
        return (await platform.request('/later/things', { headers })).status;
      };
      expect([await statusFor('ada'), await statusFor('bob')]).toEqual([403, 200]);
    } finally {
      await platform.stop();
    }
  });

  it('is refused at the start where it names a service that does not exist', async () => {
    const refused = (local: ConfigObject): Promise<string> =>
      startRefusal({
        modules: MODULES,
        extra: [new LaterModule()],
        files: PEOPLE,
        local: { ...authenticatedBy('people'), ...local },
      });
    expect(
      await refused(authenticatedBy('people', { authorization: { Later: { Thin: { GET: 'guest' } } } })),
    ).toMatch(
      /authorization\.Later\.Thin does not exist\. Did you mean "Thing"\? Available: Thing, Clock\.$/,
    );
    expect(
      await refused({ 'platform-rate-limits': { 'Later/Clok': [{ limit: 1, window: 600, per: 'user' }] } }),
    ).toMatch(/"Later\/Clok" does not exist\. Did you mean "Later\/Clock"\?/);
  });

  it('is refused at the start where it leaves its services without their selector', async () => {
    const refused = (selectors: ConfigObject): Promise<string> =>
      startRefusal({
        modules: HOSTING,
        extra: [new LaterModule()],
        files: PEOPLE,
        local: { ...PEOPLE_FOR_ALL, 'platform-content-negotiation': { selectors } },
      });
    expect(await refused({ Json: null })).toMatch(
      /^The service Thing of Later-v1: selector "Json" does not exist\./,
    );
    expect(await refused({ Json: { JsonModel: null } })).toMatch(/^The service Thing of Later-v1/);
  });

  it('has the warning about a selector that no service offers, also if no other API is hosted', async () => {
    const selectors = { Json: { JsonModel: ['application/later+json'] } };
    const { platform, later } = await start({ 'platform-content-negotiation': { selectors } });
    try {
      expect(platform.application.warnings).toEqual([
        expect.stringMatching(/^The selector "Json" has application\/later\+json, which no service offers\./),
      ]);
      expect(later.declared).toBe(0);
    } finally {
      await platform.stop();
    }
  });

  it('without an adapter for its users has the warning of any other API', async () => {
    const { platform } = await start({ 'platform-mvc-auth': {} });
    try {
      expect(platform.application.warnings.join('\n')).toContain(
        'Thing of Later-v1 requires a user, but no adapter',
      );
    } finally {
      await platform.stop();
    }
  });
});

describe('routes of others below the base path of an API whose services are declared on first use', () => {
  /** Starts with an API of one procedure, which responds with its name. */
  const startWith = async (base_path: string, route: string): Promise<Started> => {
    const other = defineRpcService({ route, methods: { GET: { handler: () => ({ name: 'other' }) } } });
    const later = new LaterModule();
    const module: Module = {
      name: 'other',
      apis: [{ name: 'Other', base_path, versions: { 1: { services: { Other: other } } } }],
    };
    const extra = [later, module];
    const platform = await startTestPlatform({
      modules: HOSTING,
      extra,
      files: PEOPLE,
      local: PEOPLE_FOR_ALL,
    });
    return { platform, later };
  };

  it('leave it the paths of its services, before and after its first request', async () => {
    const { platform } = await startWith('', '/:folder/:file');
    try {
      const read = async (path: string): Promise<unknown> =>
        (await platform.request(path, { headers: { authorization } })).json();
      expect(await read('/any/things')).toEqual({ name: 'other' });
      for (let at = 0; at < 2; at++) {
        expect(await read('/l%61ter/things')).toEqual([{ thing_id: 'one' }]);
        expect(await read('/later/nothing')).toEqual({ name: 'other' });
      }
    } finally {
      await platform.stop();
    }
  });

  it('are refused at the start if they are its own', async () => {
    const other = defineRpcService({ route: '/clock', methods: { GET: { handler: () => ({}) } } });
    const module: Module = {
      name: 'other',
      apis: [{ name: 'Other', base_path: '/later', versions: { 1: { services: { Other: other } } } }],
    };
    for (const extra of [
      [new LaterModule(), module],
      [module, new LaterModule()],
    ])
      expect(await startRefusal({ modules: HOSTING, extra, files: PEOPLE, local: PEOPLE_FOR_ALL })).toMatch(
        /The routes "\w+:\/clock" .* and "\w+:\/clock" .* match the same paths\./,
      );
  });

  it('are known to conflict with its own before its first request', async () => {
    const { platform } = await start();
    try {
      const { router } = platform.application;
      expect(router.findConflict('/later/things/:id')?.name).toBe('Later:/things[/:thing_id]');
      expect(router.findConflict('/later/nothing')).toBeUndefined();
    } finally {
      await platform.stop();
    }
  });

  it('of no service are left to the program that the platform is mounted in', async () => {
    const { platform } = await start();
    try {
      const { router } = platform.application;
      expect(router.match('/later/nothing')).toBeUndefined();
      expect(router.match('/later/things')?.route.name).toBe('Later:/things[/:thing_id]');
    } finally {
      await platform.stop();
    }
  });
});

describe('a deferred service that refers to the container', () => {
  it('is a mistake of its module', async () => {
    const api = deferServices({ name: 'Named', base_path: '/named' }, () => ({
      One: defineRpcService({ route: '/one', methods: { GET: { handler: 'handler' } } }),
    }));
    const module: Module = { name: 'named', apis: [api] };
    await expect(startRefusal({ modules: HOSTING, extra: [module] })).resolves.toContain(
      'TypeError: Version 1 of the API Named: the service One refers to the container, so it cannot be deferred.',
    );
  });
});
