import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { didYouMean, editDistance } from '../../text/closest-match';
import { ConfigurationError } from '../../errors/configuration-error';
import { describeScriptError, withLocation } from '../../errors/describe-script-error';
import { systemErrorCode } from '../../errors/system-error-code';
import {
  adviceIfRepeated,
  defaultExport,
  evictingAfterFailure,
  importAgain,
  importOrRequire,
} from '../../config/layers/fresh-import';
import { describeValue } from '../../text/describe-value';
import { isObject } from '../../values/config-object';
import type { Module } from './module';
import type { BuiltInModules, ListedModule, LoadedModule } from './module-list';
import { adviceOnFolder, adviceOnMissingFile, scriptNamed } from './missing-file';
import { importedEntry } from './package-entry';

/** @throws ConfigurationError with the location in the list, and of the error in the code of the module */
export async function loadListed(
  { name, location }: ListedModule,
  root: string,
  builtIn: BuiltInModules,
): Promise<LoadedModule> {
  if (Object.hasOwn(builtIn, name)) return { module: await loadBuiltIn(name, builtIn), source: location };
  const file = fileOf(name, location, root, builtIn);
  try {
    return {
      module: await loadFile(file),
      source: `${location} ("${name}")`,
      file,
    };
  } catch (error) {
    if (error instanceof ConfigurationError) throw withLocation(error, root);
    const reason =
      error instanceof NotAModule ? error.message : await describeScriptError(error, { root, file });
    throw new ConfigurationError(
      `${location}: the module "${name}" cannot be loaded: ${reason}${adviceIfRepeated(error)}`,
      { cause: error },
    );
  }
}

/** What the files of modules export; undefined for those that could not be loaded. */
const loadedFiles = new Map<string, unknown>();

/** The code of a module is loaded once, but after each failure again: Node.js would repeat the failure. */
async function loadFile(file: string): Promise<Module> {
  const known = loadedFiles.get(file);
  if (known !== undefined) return toModule(known);
  try {
    return await evictingAfterFailure(file, async () => {
      const loaded: unknown = await (loadedFiles.has(file) ? importAgain(file) : importOrRequire(file));
      const module = toModule(loaded);
      loadedFiles.set(file, loaded);
      return module;
    });
  } catch (error) {
    loadedFiles.set(file, undefined);
    throw error;
  }
}

export async function loadBuiltIn(name: string, builtIn: BuiltInModules): Promise<Module> {
  return toModule(await builtIn[name]?.());
}

/** Resolves the file of a module, in the project or in an installed package. */
function fileOf(name: string, location: string, root: string, builtIn: BuiltInModules): string {
  if (name.startsWith('.') || path.isAbsolute(name)) {
    const file = path.resolve(root, name);
    const exists = existsSync(file);
    if (exists && !statSync(file).isDirectory()) return file;
    const reason = exists
      ? `${file} is a folder. ${adviceOnFolder(file, root)}`
      : `${file} does not exist.${adviceOnMissingFile(name, root)}`;
    throw new ConfigurationError(`${location}: the module "${name}" cannot be loaded: ${reason}`);
  }
  const { resolve } = createRequire(path.join(root, 'package.json'));
  try {
    return resolve(name);
  } catch (error) {
    const isInstalled = systemErrorCode(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
    const entry = isInstalled ? importedEntry(name, resolve.paths(name) ?? []) : undefined;
    if (entry !== undefined) return entry;
    const script = scriptNamed(name, root);
    const advice =
      script === undefined ? didYouMean(name, Object.keys(builtIn)) : ` Did you mean "${script}"?`;
    throw new ConfigurationError(
      `${location}: module "${name}" does not exist: it is neither built in nor an installed package.` +
        `${advice} Built in: ${Object.keys(builtIn).join(', ')}.`,
      { cause: error },
    );
  }
}

/** A file does not export a module. */
class NotAModule extends Error {}

/** Returns the default export as a module: an object, or an instance of a class. */
function toModule(loaded: unknown): Module {
  let exported = defaultExport(loaded);
  // An arrow function has no prototype, and is not a class.
  if (typeof exported === 'function' && Object.hasOwn(exported, 'prototype'))
    exported = Reflect.construct(exported, []);
  if (isObject(exported) && typeof exported.name === 'string') return exported as unknown as Module;
  throw new NotAModule(
    `its default export is neither a module class nor a module object with a name.${exported === loaded ? '' : suggestName(exported)}`,
  );
}

/** Returns why the name of a default export is not one; empty if nothing resembles it. */
function suggestName(exported: unknown): string {
  if (!isObject(exported)) return '';
  if ('name' in exported) return ` Its name is ${describeValue(exported.name)}.`;
  const misspelled = Object.keys(exported).find(
    (key) => editDistance(key.toLowerCase(), 'name') <= 2 && typeof exported[key] === 'string',
  );
  return misspelled === undefined ? '' : ` It has the member "${misspelled}". Did you mean "name"?`;
}
