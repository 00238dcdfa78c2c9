import path from 'node:path';
import { readJsonFile, type JsonFile } from '../../json/json-file';
import { ConfigurationError } from '../../errors/configuration-error';
import { describeValue } from '../../text/describe-value';
import { formatKeyPath, isObject, type KeyPath } from '../../values/config-object';
import { loadBuiltIn, loadListed } from './import-module';
import type { Module } from './module';
import { assertMembers } from './module-members';
import { MODULE_LIST, type BuiltInModules, type ListedModule, type LoadedModule } from './module-list';
import { inDependencyOrder, withRequired } from './module-order';

/** The sources of a project's modules. */
export interface ModuleSources {
  readonly root: string;
  readonly builtIn: BuiltInModules;
  /** Modules passed by the program, in addition to the listed ones, or their names. */
  readonly additional?: readonly (Module | string)[];
  /** The function that the program passed them to, such as `startPlatform`. */
  readonly passedTo?: string | undefined;
  /** What is listed, instead of the list in `config/application.json`. */
  readonly listed?: readonly ListedModule[] | undefined;
}

/**
 * Loads the modules listed in `config/application.json` (built-in names, packages, or files such as `./shop.mjs`,
 * relative to the project's root), those passed by the program, and the built-in ones that they require; in
 * dependency order.
 *
 * @throws ConfigurationError with every module that cannot be loaded, and where it is listed
 */
export async function loadModules({
  root,
  builtIn,
  additional = [],
  passedTo,
  listed,
}: ModuleSources): Promise<readonly LoadedModule[]> {
  listed ??= await readModuleList(root);
  const passed = additional.map((module, at) => passedModule(module, passedTo, at));
  const all = await allLoaded(
    [...listed, ...passed].map(async (entry) =>
      'module' in entry ? entry : await loadListed(entry, root, builtIn),
    ),
  );
  const complete = await withRequired(all, builtIn, listed.length === 0 ? passedTo : undefined);
  const others = (): Promise<readonly Module[]> =>
    Promise.all(Object.keys(builtIn).map((name) => loadBuiltIn(name, builtIn)));
  await assertMembers(complete, root, others);
  return inDependencyOrder(complete);
}

/** @throws ConfigurationError for a value that is neither a module nor a name; TypeScript accepts a class, as it has a name */
function passedModule(module: unknown, passedTo = 'the program', at: number): LoadedModule | ListedModule {
  const location = `${passedTo}: modules[${at}]`;
  if (typeof module === 'string') return { name: module, location };
  if (isObject(module) && typeof module.name === 'string')
    return { module: module as unknown as Module, source: location };
  const expected = typeof module === 'function' ? `new ${module.name}()` : 'an object with a name';
  throw new ConfigurationError(
    `${location} is ${describeValue(module)}. Pass a module, ${expected}, or the name of a built-in one.`,
  );
}

/**
 * Reads the list in `config/application.json`.
 * @throws ConfigurationError for a list that is missing or invalid
 */
export async function readModuleList(root: string): Promise<readonly ListedModule[]> {
  const file = await readJsonFile(path.join(root, MODULE_LIST), MODULE_LIST);
  if (file === undefined)
    throw new ConfigurationError(
      `${MODULE_LIST} does not exist in ${root}: create it with the modules to load, such as {"modules": ["documentation"]}, or pass the folder of a project with --root.`,
    );
  const unknown = Object.keys(file.value).find((key) => key !== 'modules' && key !== '$schema');
  if (unknown !== undefined)
    throw new ConfigurationError(
      `${MODULE_LIST}:${file.locate([unknown])}: ${unknown}: unknown key. Allowed: modules.`,
    );
  const names: unknown = file.value.modules;
  if (!Array.isArray(names)) throw notNames(file, ['modules'], names);
  return names.map((name: unknown, at) => {
    if (typeof name !== 'string') throw notNames(file, ['modules', at], name);
    return { name, location: `${MODULE_LIST}:${file.locate(['modules', at])}` };
  });
}

function notNames(file: JsonFile, path: KeyPath, found: unknown): ConfigurationError {
  const reason = found === undefined ? 'is missing' : `is ${describeValue(found)}`;
  return new ConfigurationError(
    `${MODULE_LIST}:${file.locate(path)}: ${formatKeyPath(path)}: ${reason}. Write a list of module names, packages or files, such as {"modules": ["documentation", "./shop.mjs"]}.`,
  );
}

/** @throws ConfigurationError with the messages of all failures */
async function allLoaded(loading: readonly Promise<LoadedModule>[]): Promise<readonly LoadedModule[]> {
  const results = await Promise.allSettled(loading);
  const messages = results.flatMap((result) => {
    if (result.status === 'fulfilled') return [];
    if (result.reason instanceof ConfigurationError) return [result.reason.message];
    throw result.reason;
  });
  if (messages.length > 0) throw new ConfigurationError(messages.join('\n'));
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
