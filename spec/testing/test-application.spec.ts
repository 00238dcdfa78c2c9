import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import {
  BackgroundWork,
  ContainerModule,
  defineApi,
  defineProcedure,
  defineRpcService,
  Response as Answer,
  ConfigurationError,
  type HandlerContext,
  type Module,
} from '../../src/platform';
import {
  createTestApplication,
  testIdentity,
  type TestApplication,
  type TestApplicationOptions,
  type TestInjection,
} from '../../src/testing';
import { makeProject } from '../factories/platform';
import { basic, bodyOf } from '../factories/http/requests';
import { authentication, CLUB_ADAPTERS, CLUB_FILES, ClubModule, PASSWORD } from '../fixtures/club-module';
import { GalleryModule } from '../fixtures/gallery-module';
import { PolicyModule } from '../fixtures/policy-module';

let app: TestApplication | undefined;
const create = async (...given: Parameters<typeof createTestApplication>): Promise<TestApplication> =>
  (app = await createTestApplication(...given));
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const folders = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('apidesc-test-'));

describe('A test application', () => {
  it('requires no options', async () => {
    const { inject } = await create();
    expect((await inject({ path: '/' })).status).toBe(404);
  });

  it('loads its modules, and those that they require', async () => {
    const { inject, application } = await create({ modules: [new ClubModule(), 'documentation-apidesc'] });
    expect(await bodyOf(await inject({ path: '/club/hall' }))).toMatchObject({ name: null, version: 2 });
    expect((await inject({ path: '/club/notes', method: 'POST', json: { text: 'Tea' } })).status).toBe(201);
    const described = await inject({ path: '/platform/documentation/Club?format=apidesc' });
    expect(described.headers.get('content-type')).toMatch(/^application\/vnd\.apidesc\+json/);
    expect(application.modules.map(({ name }) => name)).not.toContain('atlas');
  });

  it('handles requests of any identity, without a password', async () => {
    const { inject } = await create({ modules: [new ClubModule()] });
    const ask = async (path: string, identity?: string): Promise<number> =>
      (await inject({ path, ...(identity === undefined ? {} : { identity }) })).status;
    expect([
      await ask('/club/board', 'ada'),
      await ask('/club/board', 'bob'),
      await ask('/club/board'),
    ]).toEqual([200, 403, 403]);
    const amy = testIdentity('amy', ['editors']);
    expect(await bodyOf(await inject({ path: '/club/members', identity: amy }))).toMatchObject({
      name: 'amy',
      groups: ['editors'],
    });
    const guest = await inject({ path: '/club/hall', identity: testIdentity() });
    expect(await bodyOf(guest)).toMatchObject({ isGuest: true });
  });

  it('distinguishes concurrent requests of different identities', async () => {
    const { inject } = await create({ modules: [new ClubModule()] });
    const names = Array.from({ length: 20 }, (_, at) => `user${at}`);
    const answers = await Promise.all(
      names.map(async (identity) => bodyOf(await inject({ path: '/club/members', identity }))),
    );
    expect(answers.map(({ name }) => name)).toEqual(names);
  });

  it('applies policies to the identity', async () => {
    const { inject } = await create({ modules: [new PolicyModule()] });
    expect((await inject({ path: '/notes/1', identity: 'ada' })).status).toBe(200);
    expect((await inject({ path: '/notes/1', identity: 'bob' })).status).toBe(403);
  });

  it('accepts a configuration, and reports its errors', async () => {
    const { inject } = await create({
      modules: [new ClubModule()],
      configuration: { 'platform-mvc-auth': { authorization: { Club: { Hall: { GET: ['bob'] } } } } },
    });
    expect((await inject({ path: '/club/hall', identity: 'bob' })).status).toBe(200);
    expect((await inject({ path: '/club/hall', identity: 'ada' })).status).toBe(403);
    const before = folders();
    const wrong = createTestApplication({ configuration: { server: { port: 'none' } } });
    await expect(wrong).rejects.toThrow(/server\.port: is "none"/);
    await expect(createTestApplication({ modules: ['hal', 'hostin'] })).rejects.toThrow(
      /^createTestApplication\(\): modules\[1\]: module "hostin" .* Did you mean "hosting"\?/,
    );
    const incomplete = createTestApplication({ modules: [{ name: 'a', requires: ['b'] }] });
    await expect(incomplete).rejects.toThrow(ConfigurationError);
    await expect(incomplete).rejects.toThrow(
      'createTestApplication(): a required module is neither passed nor built in: "b" (required by "a").',
    );
    expect(folders()).toEqual(before);
  });

  it('rejects a class instead of a module, though it has a name', async () => {
    await expect(createTestApplication({ modules: [ClubModule] })).rejects.toThrow(
      'createTestApplication(): modules[0] is the class ClubModule. Pass a module, new ClubModule(), or the name',
    );
    const odd: unknown[] = ['hosting', undefined];
    await expect(createTestApplication({ modules: odd as Module[] })).rejects.toThrow(
      'modules[1] is undefined. Pass a module, an object with a name',
    );
  });

  it.each<[unknown, string]>([
    [
      { module: [] },
      'createTestApplication(): unknown option "module". Did you mean "modules"? Supported: modules, configuration, root, environment.',
    ],
    [null, 'createTestApplication(): null was passed. Pass an object with options'],
    ['hosting', 'createTestApplication(): the string "hosting" was passed. Pass an object with options'],
    [
      { modules: 'hosting' },
      'createTestApplication(): modules is the string "hosting". Pass an array of modules.',
    ],
    [
      { configuration: '{}' },
      'configuration is the string "{}". Pass an object with the content of config/autoload/local.json',
    ],
    [{ configuration: [] }, 'configuration is an array.'],
    [{ root: new URL('file:///x') }, 'root is an instance of URL. Pass the path of a folder.'],
    [
      { environment: 'PORT=1' },
      'environment is the string "PORT=1". Pass an object with environment variables.',
    ],
  ])('rejects the options %j, and leaves no files', async (options, message) => {
    const before = folders();
    const wrong = createTestApplication(options as TestApplicationOptions);
    await expect(wrong).rejects.toThrow(ConfigurationError);
    await expect(wrong).rejects.toThrow(message);
    expect(folders()).toEqual(before);
  });

  it.each<[unknown, string]>([
    [
      { path: '/', identitiy: 'amy' },
      'inject(): unknown option "identitiy". Did you mean "identity"? Supported: method, path, headers, body, json, signal, identity.',
    ],
    ['/', 'inject(): the string "/" was passed.'],
    [{ path: '/', identity: null }, 'inject(): identity is null. Pass the name of a user, or an identity:'],
    [{ path: '/', identity: '' }, 'inject(): identity is the string "".'],
    [{ path: '/', identity: 5 }, 'inject(): identity is 5.'],
    [{ path: '/', identity: { name: 'amy' } }, 'inject(): identity is an object.'],
    [{ path: '/', identity: { name: 'amy', isGuest: false } }, 'An identity needs "name"'],
    [
      { path: '/', identity: 'amy', json: {}, body: '' },
      'inject(): "json" and "body" are mutually exclusive.',
    ],
    [{ path: '/', identity: 'amy', headers: [1] }, 'inject(): headers[0] is 1.'],
  ])('rejects the request %j', async (request, message) => {
    const { inject } = await create();
    await expect(inject(request as TestInjection)).rejects.toThrow(message);
  });

  it.each([
    ['a Headers', new Headers({ 'X-Request-Id': 'mine' })],
    ['a Map', new Map([['X-Request-Id', 'mine']])],
    ['a list of pairs', [['X-Request-Id', 'mine']] as const],
  ])('accepts header fields with an identity as %s', async (_, headers) => {
    const { inject } = await create({ modules: [slow.module()] });
    slow.handler = ({ identity, requestId }) => new Answer(200, `${identity.name} ${requestId}`);
    expect(await (await inject({ path: '/slow', headers, identity: 'amy' })).text()).toBe('amy mine');
  });

  it('sends a form with its files as multipart/form-data', async () => {
    const { inject } = await create({ modules: [new GalleryModule()] });
    const body = new FormData();
    body.append('title', 'Tea');
    body.append('year', '1889');
    body.append('picture', new Blob(['a drawing'], { type: 'text/plain' }), 'tea.txt');
    // The boundary is that of the body, whatever else the headers say.
    const headers = { 'Content-Type': 'multipart/form-data' };
    for (const identity of [undefined, 'amy']) {
      const answer = await inject({
        path: '/gallery/uploads',
        method: 'POST',
        body,
        headers,
        ...(identity === undefined ? {} : { identity }),
      });
      expect(await bodyOf(answer)).toMatchObject({
        title: 'Tea',
        year: 1889,
        files: [{ filename: 'tea.txt' }],
        lengths: [9],
      });
    }
    const upload = { path: '/gallery/uploads', method: 'POST', body };
    expect((await inject({ ...upload, headers: [['Accept', 'image/png']] })).status).toBe(406);
    await expect(inject({ ...upload, json: {} })).rejects.toThrow('"json" and "body" are mutually exclusive');
  });

  it('can be closed several times', async () => {
    const { inject, close } = await createTestApplication();
    await inject({ path: '/' });
    await Promise.all([close(), close()]);
    await close();
  });

  it('uses no environment variables but its own', async () => {
    const configuration = { server: { base_url: '${BASE}' } };
    await expect(createTestApplication({ configuration })).rejects.toThrow(/BASE/);
    const { inject } = await create({
      modules: [new ClubModule()],
      configuration,
      environment: { BASE: '/under' },
    });
    expect((await inject({ path: '/under/club/hall' })).status).toBe(200);
  });

  it('names the option of an invalid configuration, and no file', async () => {
    const configuration = { server: { base_ulr: '/under' } };
    await expect(createTestApplication({ configuration })).rejects.toThrow(
      /^createTestApplication\(\): configuration: server\.base_ulr: unknown key\. Did you mean "base_url"\?/,
    );
  });

  it('loads a project, except its local.json', async () => {
    const root = makeProject({
      modules: ['content-negotiation', 'content-validation', 'mvc-auth', 'hosting'],
      files: { ...CLUB_FILES, 'config/autoload/global.json': '{"server":{"base_url":"/under"}}' },
      local: { server: { base_url: '/never' } },
    });
    const { application, inject } = await create({
      root,
      modules: [new ClubModule(), 'hal'],
      configuration: authentication(CLUB_ADAPTERS, { Club: 'basic' }),
    });
    expect(application.modules.map(({ name }) => name)).toContain('hal');
    const headers = { Authorization: basic('ada', PASSWORD) };
    expect(await bodyOf(await inject({ path: '/under/club/members', headers }))).toMatchObject({
      name: 'ada',
    });
    expect((await inject({ path: '/under/club/members' })).status).toBe(401);
    expect((await inject({ path: '/under/club/members', identity: 'amy' })).status).toBe(200);
    await app?.close();
    app = undefined;
    expect(existsSync(root)).toBe(true);
  });

  it('waits until its parts have started', async () => {
    let isReady = false;
    const part = {
      onStart: async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        isReady = true;
      },
    };
    const module: Module = {
      name: 'part',
      onBootstrap: ({ application }) => void application.lifecycles.push({ name: 'part', target: part }),
    };
    await create({ modules: [module] });
    expect(isReady).toBe(true);
  });

  it('gives access to its log and services', async () => {
    const failing: Module = {
      name: 'failing',
      requires: ['hosting'],
      services: new ContainerModule(({ bind }) => void bind('answer').toConstantValue(42)),
      apis: [
        defineApi({
          name: 'Failing',
          versions: {
            1: {
              services: {
                Fail: defineRpcService({
                  route: '/fail',
                  methods: {
                    GET: defineProcedure({
                      handler: () => {
                        throw new Error('On purpose.');
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
    const { inject, log, application } = await create({ modules: [failing] });
    expect((await inject({ path: '/fail' })).status).toBe(500);
    expect(log.lines).toMatchObject([{ level: 'error', message: 'The request failed.' }]);
    expect(await application.services.get('answer')).toBe(42);
  });

  it('keeps the lines of every level that the configuration sets', async () => {
    const { inject, log } = await create({
      modules: [slow.module()],
      configuration: { log: { level: 'debug' } },
    });
    slow.handler = (context) => {
      context.log.debug?.({ rows: 3 }, 'Counted.');
      return 1;
    };
    await inject({ path: '/slow' });
    expect(log.lines).toMatchObject([{ level: 'debug', details: { rows: 3 }, message: 'Counted.' }]);
  });

  it('rejects requests after it was closed', async () => {
    const { inject, close } = await createTestApplication();
    const closed = close();
    const message = 'inject(): the server is closed. Await every response';
    await expect(inject({ path: '/' })).rejects.toThrow(message);
    await closed;
    await expect(inject({ path: '/', identity: 'ada' })).rejects.toThrow(message);
  });

  it('aborts background work that does not end, as the shutdown of a server does', async () => {
    const { application, close } = await createTestApplication({
      configuration: { server: { shutdown_timeout: 1 } },
    });
    const reasons: unknown[] = [];
    (await application.services.get(BackgroundWork)).run(
      'wait',
      (signal) =>
        new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            resolve();
          }),
        ),
    );
    await close();
    expect(reasons).toHaveLength(1);
  });

  it('leaves no files after it is closed, and waits for its last response', async () => {
    const before = folders();
    let go: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => {
      slow.handler = async (context) => {
        resolve();
        await new Promise<void>((free) => (go = free));
        return new Answer(200, `late ${context.requestId}`);
      };
    });
    const { inject, close } = await createTestApplication({ modules: [slow.module()] });
    const answer = inject({ path: '/slow', headers: { 'X-Request-Id': 'x' } });
    await arrived;
    const closed = close();
    go?.();
    expect(await (await answer).text()).toBe('late x');
    await closed;
    expect(folders()).toEqual(before);
  });
});

/** A handler that the test replaces. */
const slow = {
  handler: (context: HandlerContext): unknown => context.requestId,
  module: (): Module => ({
    name: 'slow',
    requires: ['hosting'],
    apis: [
      defineApi({
        name: 'Slow',
        versions: {
          1: {
            services: {
              Slow: defineRpcService({
                route: '/slow',
                methods: { GET: { handler: (context) => slow.handler(context) } },
              }),
            },
          },
        },
      }),
    ],
  }),
};
