import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readJsonFile } from '../config/json-file';
import { nearest } from '../config/nearest';
import { StartError } from '../config/start-error';
import type { MaybePromise } from '../events/maybe-promise';
import type { Module } from './module';

/** Modules that a name stands for, without a package or a file. */
export type BuiltInModules = Readonly<Record<string, () => MaybePromise<unknown>>>;

const LIST = 'config/application.json';

/**
 * The modules that `config/application.json` lists: built-in names, packages, or files (`./shop.mjs`) from the
 * project's root. Each comes after those it needs.
 *
 * @throws StartError that names the module and the file when one cannot be loaded
 */
export async function loadModules(root: string, builtIn: BuiltInModules): Promise<readonly Module[]> {
  const file = await readJsonFile(path.join(root, LIST), LIST);
  if (file === undefined)
    throw new StartError(`${LIST} does not exist in ${root}. It lists the modules to load.`);
  const unknown = Object.keys(file.value).find((key) => key !== 'modules' && key !== '$schema');
  if (unknown !== undefined)
    throw new StartError(`${LIST}:${file.locate([unknown])}: ${unknown}: unknown key. Allowed: modules.`);
  const names: unknown = file.value.modules;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new StartError(`${LIST}: "modules" must be a list of module names, packages or files.`);
  }
  return inOrder(await Promise.all(names.map((name) => loadModule(name, root, builtIn))));
}

/** Names of modules, and of those that they need; what is not built in is not looked into. */
export async function withNeeded(
  names: readonly string[],
  builtIn: BuiltInModules,
): Promise<readonly string[]> {
  const all = new Set(names);
  // What is added meanwhile is looked at, too.
  for (const name of all) {
    if (!Object.hasOwn(builtIn, name)) continue;
    const { needs = [] } = await loadModule(name, '', builtIn);
    for (const need of needs) all.add(need);
  }
  return [...all];
}

async function loadModule(name: string, root: string, builtIn: BuiltInModules): Promise<Module> {
  try {
    const load = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
    return toModule(await (load === undefined ? importModule(name, root, builtIn) : load()));
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${LIST}: the module "${name}" cannot be loaded: ${reason}`, { cause: error });
  }
}

async function importModule(name: string, root: string, builtIn: BuiltInModules): Promise<unknown> {
  if (name.startsWith('.') || path.isAbsolute(name)) {
    const file = path.resolve(root, name);
    if (!existsSync(file))
      throw new StartError(`${LIST}: the module "${name}" is no file: ${file} does not exist.`);
    return import(pathToFileURL(file).href);
  }
  let resolved: string;
  try {
    resolved = createRequire(path.join(root, 'package.json')).resolve(name);
  } catch (error) {
    const meant = nearest(name, Object.keys(builtIn));
    throw new StartError(
      `${LIST}: there is no module "${name}": it is neither built in nor an installed package.` +
        `${meant === undefined ? '' : ` Did you mean "${meant}"?`} Built in: ${Object.keys(builtIn).join(', ')}.`,
      { cause: error },
    );
  }
  return import(pathToFileURL(resolved).href);
}

/** The default export: a class, or an object. */
function toModule(loaded: unknown): Module {
  let exported = loaded;
  // A CommonJS file seen through import() has its own default export within the default export.
  for (let depth = 0; depth < 2 && isObject(exported) && 'default' in exported; depth++)
    exported = exported.default;
  if (typeof exported === 'function') exported = Reflect.construct(exported, []);
  if (isObject(exported) && typeof exported.name === 'string') return exported as unknown as Module;
  throw new TypeError('its default export is neither a module class nor a module object with a name.');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Each module after those it needs, otherwise in the order of the list. */
export function inOrder(modules: readonly Module[]): readonly Module[] {
  const byName = new Map(modules.map((module) => [module.name, module]));
  if (byName.size < modules.length) {
    const twice = modules.find((module) => byName.get(module.name) !== module);
    throw new StartError(`${LIST}: the module "${twice?.name ?? ''}" is listed twice.`);
  }
  const ordered = new Set<Module>();
  const visit = (module: Module, above: readonly string[]): void => {
    if (ordered.has(module)) return;
    const begun = above.indexOf(module.name);
    if (begun >= 0) {
      throw new StartError(
        `The modules ${[...above.slice(begun), module.name].join(' → ')} need each other.`,
      );
    }
    for (const need of module.needs ?? []) {
      const needed = byName.get(need);
      if (needed === undefined) {
        throw new StartError(
          `${LIST}: the module "${module.name}" needs the module "${need}". Add it to "modules".`,
        );
      }
      visit(needed, [...above, module.name]);
    }
    ordered.add(module);
  };
  for (const module of modules) visit(module, []);
  return [...ordered];
}
