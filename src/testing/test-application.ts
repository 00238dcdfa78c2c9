import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  ApplicationHost,
  BackgroundRuns,
  isObject,
  unknownOptions,
  requestOptionNames,
  Server,
  serverSettings,
  ConfigurationError,
  describeValue,
  type Application,
  type ConfigObject,
  type Module,
} from '../framework';
import { builtInModules } from '../modules';
import { encodeForm, type RequestWithForm } from './form-body';
import { TestIdentities } from './test-identities';
import { MemoryLog } from './memory-log';
import { toIdentity, type TestUser } from './test-identity';

/** The options of a test application; all are optional. */
export interface TestApplicationOptions {
  /** Modules, or names of built-in ones; the modules that they require are loaded as well. */
  readonly modules?: readonly (Module | string)[];
  /** The content of `config/autoload/local.json`. */
  readonly configuration?: ConfigObject;
  /** The folder of a project, whose modules and configuration are loaded, except its `local.json`. */
  readonly root?: string;
  /** Environment variables for `"${NAME}"` in the configuration, and `PORT`; defaults to none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A request and its identity; without one, its credentials are authenticated as usual. */
export interface TestInjection extends RequestWithForm {
  /** The name of a user, or an identity; no password is needed. */
  readonly identity?: TestUser;
}

/** A running application that does not listen. */
export interface TestApplication {
  readonly application: Application;
  readonly log: MemoryLog;
  /**
   * Handles a request, processed like one from the network, and resolves like `fetch`.
   * @throws TypeError for an unknown or invalid option
   */
  inject(request: TestInjection): Promise<Response>;
  /** Shuts down after the last response is complete, and background work has ended, at most a second after `server.shutdown_timeout`. */
  close(): Promise<void>;
}

const LIST = 'config/application.json';

/** Where errors locate the passed configuration. */
const PASSED = /config\/autoload\/local\.json:\d+:\d+/g;
const OPTIONS: readonly (keyof TestApplicationOptions)[] = [
  'modules',
  'configuration',
  'root',
  'environment',
];
const INJECTION: readonly (keyof TestInjection)[] = [...requestOptionNames, 'identity'];

/**
 * Builds an application for a test, without a project, a port or passwords.
 *
 * @throws ConfigurationError for invalid options or configuration
 * @example
 * const app = await createTestApplication({ modules: [notes] });
 * const answer = await app.inject({ path: '/notes', method: 'POST', json: { text: 'Milk' }, identity: 'amy' });
 * assert.equal(answer.status, 201);
 * await app.close();
 */
export async function createTestApplication(options: TestApplicationOptions = {}): Promise<TestApplication> {
  assertOptions(options);
  const { modules: requested = [], configuration = {}, environment = {} } = options;
  assertModules(requested);
  const folder = options.root === undefined ? await makeFolder() : undefined;
  const root = path.resolve(options.root ?? folder ?? '');
  const log = new MemoryLog();
  const identities = new TestIdentities();
  const host = new ApplicationHost({
    root,
    builtIn: builtInModules,
    modules: [...requested, identities],
    // Messages name what was passed.
    program: { source: 'createTestApplication()', configuration: {} },
    environment,
    log,
  });
  const remove = async (): Promise<void> => {
    await host.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    host.activate(await host.build({ local: JSON.stringify(configuration) }));
    await host.current.start();
  } catch (error) {
    await remove();
    if (!(error instanceof ConfigurationError)) throw error;
    const message = error.message.replaceAll(PASSED, 'createTestApplication(): configuration');
    throw new ConfigurationError(message, { cause: error });
  }
  const server = new Server(host.current);
  host.onActivate((next) => (server.current = next));
  return {
    get application() {
      return host.current;
    },
    log,
    inject: async (injection) => {
      const message = unknownOptions(injection, INJECTION);
      if (message !== undefined) throw new TypeError(`inject(): ${message}`);
      const { identity, ...given } = injection;
      const request = await encodeForm(given, 'inject()');
      if (identity === undefined) return server.inject(request);
      return identities.send(request, toIdentity(identity, 'inject()'), (sent) => server.inject(sent));
    },
    close: async () => {
      const { configuration, sharedState } = host.current;
      const { shutdown_timeout: timeout } = configuration.section('server', serverSettings);
      const runs = sharedState.getOrCreate(BackgroundRuns, () => new BackgroundRuns());
      const endRuns = runs.closeAfter(timeout * 1_000);
      await server.close(timeout);
      await remove();
      endRuns();
    },
  };
}

/** @throws ConfigurationError for an unknown or invalid option */
function assertOptions(options: TestApplicationOptions): void {
  const message = unknownOptions(options, OPTIONS);
  if (message !== undefined) throw new ConfigurationError(`createTestApplication(): ${message}`);
  const { modules = [], configuration = {}, environment = {}, root = '' } = options;
  const invalid = [
    { name: 'modules', value: modules, isValid: Array.isArray(modules), expected: 'an array of modules' },
    {
      name: 'configuration',
      value: configuration,
      isValid: isObject(configuration),
      expected: 'an object with the content of config/autoload/local.json',
    },
    { name: 'root', value: root, isValid: typeof root === 'string', expected: 'the path of a folder' },
    {
      name: 'environment',
      value: environment,
      isValid: isObject(environment),
      expected: 'an object with environment variables',
    },
  ].find(({ isValid }) => !isValid);
  if (invalid === undefined) return;
  throw new ConfigurationError(
    `createTestApplication(): ${invalid.name} is ${describeValue(invalid.value)}. Pass ${invalid.expected}.`,
  );
}

/** @throws ConfigurationError for a value that is not a module; TypeScript accepts a class, because it has a name */
function assertModules(modules: readonly unknown[]): void {
  for (const [at, one] of modules.entries()) {
    if (typeof one === 'string') continue;
    const name: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'name') : undefined;
    if (typeof name === 'string') continue;
    const expected = typeof one === 'function' ? `new ${one.name}()` : 'an object with a name';
    throw new ConfigurationError(
      `createTestApplication(): modules[${at}] is ${describeValue(one)}. Pass a module, ${expected}, or the name of a built-in one.`,
    );
  }
}

/** Creates a project folder that lists no modules. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'apidesc-test-'));
  await mkdir(path.join(folder, path.dirname(LIST)));
  await writeFile(path.join(folder, LIST), JSON.stringify({ modules: [] }));
  return folder;
}
