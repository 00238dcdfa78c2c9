import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { compileFunction } from 'node:vm';
import { errorMessage } from '../../errors/error-message';
import { systemErrorCode } from '../../errors/system-error-code';
import { isObject } from '../../values/config-object';

let imports = 0;

/**
 * Imports a script without caching, including the CommonJS files of the project that it requires. Of an ES module, only
 * the script itself is loaded again.
 */
export async function importFresh(file: string): Promise<unknown> {
  evictFromRequireCache(file, createRequire(file).cache);
  return evictingAfterFailure(file, async () => importAgain(file));
}

/**
 * Imports a file that could not be loaded before. `import` loads no URL twice, not even after a failure. CommonJS is
 * required: from Node.js 24 on, `import` registers the files that a script exports again (`module.exports = require('./a')`)
 * before they are loaded, and a second `require` of them returns their empty exports.
 */
export async function importAgain(file: string): Promise<unknown> {
  if (isCommonJs(file)) return { default: createRequire(file)(file) as unknown };
  return importOrRequire(file, `?${++imports}`);
}

/** Jest has no `import()` by default: its `require` loads what it can transform. @param query of the URL to import */
export async function importOrRequire(file: string, query = ''): Promise<unknown> {
  try {
    return (await import(pathToFileURL(file).href + query)) as unknown;
  } catch (error) {
    // In Node.js 20 without the end `_FLAG`.
    if (!systemErrorCode(error).startsWith('ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING')) throw error;
    return requireInJest(file);
  }
}

function requireInJest(file: string): unknown {
  try {
    return createRequire(file)(file) as unknown;
  } catch (error) {
    // Of what the file imports, such as a package, the message of Jest names the file and what to do. It names real paths.
    const isOfFile =
      systemErrorCode(error) === 'ERR_REQUIRE_ESM' && errorMessage(error).includes(`: ${realpathSync(file)}`);
    if (!isOfFile) throw error;
    throw new Error(
      'It is an ES module, which Jest loads with NODE_OPTIONS=--experimental-vm-modules, or with a transform of ES modules to CommonJS.',
      { cause: error },
    );
  }
}

/** Decides as Node.js does: by the `type` of the package, otherwise by the syntax. */
function isCommonJs(file: string): boolean {
  if (/\.[cm]js$/.test(file)) return file.endsWith('.cjs');
  const type = packageTypeOf(path.dirname(file));
  if (type !== undefined) return type === 'commonjs';
  try {
    compileFunction(readFileSync(file, 'utf8'), ['exports', 'require', 'module', '__filename', '__dirname']);
    return true;
  } catch {
    return false;
  }
}

/** Returns the `type` of the package of a folder; undefined if its `package.json` has none that Node.js knows. */
function packageTypeOf(folder: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(folder, 'package.json'), 'utf8');
  } catch {
    const above = path.dirname(folder);
    return above === folder ? undefined : packageTypeOf(above);
  }
  try {
    const { type } = JSON.parse(text) as { readonly type?: unknown };
    return type === 'module' || type === 'commonjs' ? type : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Evicts the CommonJS files that were loaded for a load that fails: the fault may be in one of them. Those that were loaded
 * before stay, as what uses them would have other copies of their classes.
 */
export async function evictingAfterFailure<Result>(
  file: string,
  load: () => Promise<Result>,
): Promise<Result> {
  const { cache } = createRequire(file);
  const before = new Set(Object.keys(cache));
  try {
    return await load();
  } catch (error) {
    for (const id of Object.keys(cache))
      if (!before.has(id) && !isOfPackage(id)) Reflect.deleteProperty(cache, id);
    throw error;
  }
}

function isOfPackage(file: string): boolean {
  return file.includes(`${path.sep}node_modules${path.sep}`);
}

/** Evicts a script and its dependencies outside of `node_modules` from the cache of `require`. */
function evictFromRequireCache(file: string, cache: NodeJS.Dict<NodeJS.Module>): void {
  if (isOfPackage(file)) return;
  const children = cache[file]?.children ?? [];
  Reflect.deleteProperty(cache, file);
  for (const { id } of children) evictFromRequireCache(id, cache);
}

const seen = new WeakSet<Error>();

/** Returns an advice for the error of an import that was thrown before: that of a file which is not loaded again. */
export function adviceIfRepeated(error: unknown): string {
  if (!types.isNativeError(error)) return '';
  if (seen.has(error))
    return '\nThe error is that of the first attempt, in a file that is imported. If it is corrected, restart the service.';
  seen.add(error);
  return '';
}

/** Returns the default export; `import` wraps that of a compiled CommonJS file in another one. */
export function defaultExport(loaded: unknown): unknown {
  let exported = loaded;
  for (let depth = 0; depth < 2 && isObject(exported) && 'default' in exported; depth++)
    exported = exported.default;
  return exported;
}
