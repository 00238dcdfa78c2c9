import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  type Module,
  type RunningPlatform,
  Type,
} from '../../src/platform';
import { startPlatform, type StartOptions } from '../../src/start';
import { makeProject, MemoryLog } from '../factories/platform';

const greetings: Module = {
  name: 'greetings',
  requires: ['documentation'],
  apis: [
    defineApi({
      name: 'Greetings',
      versions: {
        1: {
          services: {
            Greeting: defineRpcService({
              route: '/greeting',
              methods: {
                GET: defineProcedure({
                  response: Type.Object({ text: Type.String() }),
                  handler: () => ({ text: 'Hello' }),
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

const environment = { OPERATIONS_LISTEN: 'off' };
const server = { port: 0 };

describe('a platform that a program starts without a project', () => {
  const before = process.cwd();
  let folder: string;
  let platform: RunningPlatform | undefined;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'program-'));
    process.chdir(folder);
  });

  afterEach(async () => {
    await platform?.stop({ idleGrace: 0 });
    platform = undefined;
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  const start = async (options: StartOptions): Promise<RunningPlatform> =>
    (platform = await startPlatform({ environment, log: new MemoryLog(), ...options }));

  it('serves its modules and the documentation, and writes no file', async () => {
    const { origin } = await start({
      configuration: { server },
      modules: [greetings, 'documentation-formats'],
    });
    expect(await (await fetch(`${origin}/greeting`)).json()).toEqual({ text: 'Hello' });
    expect((await fetch(`${origin}/platform/documentation`)).status).toBe(200);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing of its own log in the process when it cannot be built', async () => {
    const listeners = process.listenerCount('exit');
    for (const port of ['x', 'y'])
      await expect(startPlatform({ environment, configuration: { server: { port } } })).rejects.toThrow(
        `server.port: is "${port}"`,
      );
    expect(process.listenerCount('exit')).toBe(listeners);
  });

  it('reads no file of the working directory', async () => {
    const root = makeProject({ modules: ['atlas'], local: { server: { base_url: '/files' } } });
    process.chdir(root);
    const { application } = await start({ configuration: { server }, modules: [greetings] });
    expect(application.baseUrl).toBe('');
    expect(application.modules.map(({ name }) => name)).not.toContain('atlas');
    process.chdir(folder);
    rmSync(root, { recursive: true });
  });

  it('names the function as the source of values and errors', async () => {
    const { application } = await start({
      configuration: { server: { ...server, base_url: '/a' } },
      modules: [greetings],
    });
    const explained = application.configuration
      .explain()
      .find(({ path: at }) => at.join('.') === 'server.base_url');
    expect(explained).toMatchObject({ value: '/a', source: 'startPlatform' });
    await expect(
      startPlatform({ configuration: { server: { prot: 1 } }, log: new MemoryLog() }),
    ).rejects.toThrow(/^startPlatform: server\.prot: .*port/);
  });

  it('replaces environment variables, which override it as well', async () => {
    const { application } = await start({
      configuration: { server: { ...server, base_url: '/${STAGE}' }, log: { level: 'warn' } },
      modules: [greetings],
      environment: { ...environment, STAGE: 'test', LOG_LEVEL: 'error' },
    });
    expect(application.baseUrl).toBe('/test');
    expect(application.configuration.valueAt(['log', 'level'])).toBe('error');
    await expect(
      startPlatform({ configuration: { server: { base_url: '${NO_SUCH}' } }, environment }),
    ).rejects.toThrow(
      'startPlatform: server.base_url refers to the environment variable NO_SUCH, which is not set.',
    );
  });

  it('keeps its configuration when it is reloaded, whatever the program does with its object', async () => {
    const configuration = { server: { ...server, base_url: '/a' } };
    const { host } = await start({ configuration, modules: [greetings] });
    await host.reload();
    expect(host.current.baseUrl).toBe('/a');
    expect(Object.isFrozen(configuration.server)).toBe(false);
  });

  it('rejects values that no file could contain, with their paths', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const configuration = {
      server: { port: () => 1, host: undefined, base_url: new Date(0) },
      log: circular,
      a: [NaN],
    };
    const options = { configuration, environment } as unknown as StartOptions;
    const failure: unknown = await startPlatform(options).catch((error: unknown) => error);
    const advice = 'Pass a JSON value: a string, a number, true, false, null, a list or an object.';
    expect(String(failure).split('\n')).toEqual([
      `ConfigurationError: startPlatform: server.port: is a function port. ${advice}`,
      `startPlatform: server.base_url: is an instance of Date. ${advice}`,
      'startPlatform: log.self: contains itself. Pass a copy of the object.',
      `startPlatform: a[0]: is NaN. ${advice}`,
    ]);
  });

  it.each([
    [{ configuration: [] }, 'startPlatform: configuration is an array. Pass an object with what a file'],
    [{ config: {} }, 'startPlatform: unknown option "config". Supported: root, configuration'],
    [{ configuration: {}, modules: 'hal' }, 'startPlatform: modules is the string "hal". Pass a list'],
    [{ configuration: {}, log: 'info' }, 'startPlatform: log is the string "info". Pass an object with'],
    [{ configuration: {}, log: { error: 1 } }, 'startPlatform: log is an object. Pass an object with'],
    [{ configuration: {}, buildTimeout: '1m' }, 'startPlatform: buildTimeout is the string "1m". Pass'],
    [{ configuration: {}, buildTimeout: NaN }, 'startPlatform: buildTimeout is NaN. Pass a number'],
    [{ configuration: {}, environment: 'PORT=0' }, 'startPlatform: environment is the string "PORT=0".'],
    [{ configuration: {}, modules: ['hel'] }, 'startPlatform: modules[0]: module "hel" does not exist'],
    [
      { configuration: {}, modules: [class Shop {}] },
      'startPlatform: modules[0] is the class Shop. Pass a module, new Shop(),',
    ],
    [
      { configuration: {}, modules: [{ name: 'a', requires: ['b'] }] },
      'startPlatform: a required module is neither passed nor built in: "b"',
    ],
    [{ configuration: {}, modules: ['admin'] }, 'The module "admin" needs a project folder'],
    [
      { configuration: {}, modules: [greetings, { name: 'greetings' }] },
      'startPlatform: modules[1]: the module "greetings" is listed twice, first at startPlatform: modules[0]',
    ],
    [
      {
        configuration: { 'platform-cluster': { store: 'redis', redis: { url: 'redis://127.0.0.1:1' } } },
        modules: ['cluster'],
      },
      'startPlatform: platform-cluster.store: a node keeps files in a project folder, and none was passed.',
    ],
  ])('rejects %j', async (options, message) => {
    const passed = { environment, log: new MemoryLog(), ...options } as unknown as StartOptions;
    const failure: unknown = await startPlatform(passed).catch((error: unknown) => error);
    expect(String(failure)).toContain(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('overrides the files of a project', async () => {
    const root = makeProject({ modules: ['hal'], local: { server: { base_url: '/files', drain_delay: 3 } } });
    const { application } = await start({
      root,
      configuration: { server: { ...server, base_url: '/program' } },
      modules: [greetings, 'documentation-formats'],
    });
    expect(application.baseUrl).toBe('/program');
    expect(application.configuration.valueAt(['server', 'drain_delay'])).toBe(3);
    const names = application.modules.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['hal', 'greetings', 'documentation-formats']));
    rmSync(root, { recursive: true });
  });
});
