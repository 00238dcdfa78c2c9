import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  ApplicationHost,
  isTree,
  optionsFault,
  requestOptions,
  Server,
  serverSettings,
  StartError,
  whatIs,
  withNeeded,
  type Application,
  type ConfigTree,
  type InjectedRequest,
  type Module,
} from '../framework';
import { builtInModules } from '../modules';
import { Identified } from './identified';
import { MemoryLog } from './memory-log';
import { toIdentity, type TestUser } from './test-identity';

/** The application of a test; all of it may be left out. */
export interface TestApplicationOptions {
  /** Modules, or the names of built-in ones; those that they need come by themselves. */
  readonly modules?: readonly (Module | string)[];
  /** As `config/autoload/local.json` would have it. */
  readonly configuration?: ConfigTree;
  /** The folder of a project, whose modules and configuration count too, but for its `local.json`. */
  readonly root?: string;
  /** What `"${NAME}"` in the configuration, and `PORT`, mean; nothing of the process is known unless told. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A request, and who makes it: without an identity, whoever its credentials say. */
export interface TestInjection extends InjectedRequest {
  /** A user by name, or an identity: no password is asked for. */
  readonly identity?: TestUser;
}

/** An application that runs, and listens nowhere. */
export interface TestApplication {
  readonly application: Application;
  /** What was logged. */
  readonly log: MemoryLog;
  /**
   * Answers a request by the same way that others take, as `fetch` does.
   * @throws TypeError for an option that there is not, and one that is of no use
   */
  inject(request: TestInjection): Promise<Response>;
  /** Stops, when its last answer is complete. */
  close(): Promise<void>;
}

const LIST = 'config/application.json';
const OPTIONS: readonly (keyof TestApplicationOptions)[] = [
  'modules',
  'configuration',
  'root',
  'environment',
];
const INJECTION: readonly (keyof TestInjection)[] = [...requestOptions, 'identity'];

/**
 * Builds an application for a test, and needs no project, no port and no password for it.
 *
 * @throws StartError for everything an operator can mend
 * @example
 * const app = await createTestApplication({ modules: [notes] });
 * const answer = await app.inject({ path: '/notes', method: 'POST', json: { text: 'Milk' }, identity: 'amy' });
 * assert.equal(answer.status, 201);
 * await app.close();
 */
export async function createTestApplication(options: TestApplicationOptions = {}): Promise<TestApplication> {
  assertOptions(options);
  const { modules: wanted = [], configuration = {}, environment = {} } = options;
  assertModules(wanted);
  const given = wanted.filter((one) => typeof one !== 'string');
  const names = wanted.filter((one) => typeof one === 'string');
  const folder = options.root === undefined ? await makeFolder(names, given) : undefined;
  const root = path.resolve(options.root ?? folder ?? '');
  const log = new MemoryLog();
  const identified = new Identified();
  const host = new ApplicationHost({
    root,
    builtIn: builtInModules,
    modules: [...given, identified],
    environment,
    log,
  });
  const remove = async (): Promise<void> => {
    await host.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    host.put(await host.build({ local: JSON.stringify(configuration) }));
  } catch (error) {
    await remove();
    throw error;
  }
  const server = new Server(host.current);
  host.onPut((next) => (server.current = next));
  return {
    get application() {
      return host.current;
    },
    log,
    inject: async (injection) => {
      const fault = optionsFault(injection, INJECTION);
      if (fault !== undefined) throw new TypeError(`inject(): ${fault}`);
      const { identity, ...request } = injection;
      if (identity === undefined) return server.inject(request);
      return identified.send(request, toIdentity(identity, 'inject()'), (sent) => server.inject(sent));
    },
    close: async () => {
      await server.close(host.current.configuration.section('server', serverSettings).shutdown_timeout);
      await remove();
    },
  };
}

/** @throws StartError for an option that there is not, and one that is not what it should be */
function assertOptions(options: TestApplicationOptions): void {
  const fault = optionsFault(options, OPTIONS);
  if (fault !== undefined) throw new StartError(`createTestApplication(): ${fault}`);
  const { modules = [], configuration = {}, environment = {}, root = '' } = options;
  const odd = [
    { name: 'modules', value: modules, isRight: Array.isArray(modules), meant: 'a list of modules' },
    {
      name: 'configuration',
      value: configuration,
      isRight: isTree(configuration),
      meant: 'an object, as config/autoload/local.json would have it',
    },
    { name: 'root', value: root, isRight: typeof root === 'string', meant: 'the path of a folder' },
    {
      name: 'environment',
      value: environment,
      isRight: isTree(environment),
      meant: 'an object of variables',
    },
  ].find(({ isRight }) => !isRight);
  if (odd === undefined) return;
  throw new StartError(`createTestApplication(): ${odd.name} is ${whatIs(odd.value)}. Give ${odd.meant}.`);
}

/** @throws StartError for what plain JavaScript may give, and for a class, which TypeScript takes for a module: it has a name */
function assertModules(modules: readonly unknown[]): void {
  for (const [at, one] of modules.entries()) {
    if (typeof one === 'string') continue;
    const name: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, 'name') : undefined;
    if (typeof name === 'string') continue;
    const meant = typeof one === 'function' ? `new ${one.name}()` : 'an object with a name';
    throw new StartError(
      `createTestApplication(): modules[${at}] is ${whatIs(one)}. Give a module, ${meant}, or the name of a built-in one.`,
    );
  }
}

/** A project that has nothing but its list: built-in modules that are named, and those that are needed. */
async function makeFolder(names: readonly string[], given: readonly Module[]): Promise<string> {
  const own = given.map(({ name }) => name);
  const needed = [new Identified(), ...given].flatMap(({ needs = [] }) => needs);
  const modules = await withNeeded(
    [...names, ...needed.filter((name) => !own.includes(name))],
    builtInModules,
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'apidesc-test-'));
  await mkdir(path.join(folder, path.dirname(LIST)));
  await writeFile(path.join(folder, LIST), JSON.stringify({ modules }));
  return folder;
}
