import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { describeScriptError } from '../../errors/describe-script-error';
import { systemErrorCode } from '../../errors/system-error-code';
import { ConfigurationError } from '../../errors/configuration-error';
import { isObject, type ConfigObject } from '../../values/config-object';
import { describeValue } from '../../text/describe-value';

/**
 * Loads the export of a configuration script without caching, including the CommonJS files of the project that it
 * requires. Of an ES module, only the script itself is reloaded.
 *
 * @param shown the path for messages, relative to the project
 * @throws ConfigurationError if it cannot be loaded, or does not export an object
 */
export async function readScript(file: string, shown: string): Promise<ConfigObject> {
  try {
    const loaded = requireFresh(file) ?? (await importFresh(file));
    const tree: unknown = isObject(loaded) && 'default' in loaded ? loaded.default : loaded;
    if (!isObject(tree))
      throw new NotAnObject(`its default export is ${describeValue(tree)}. Export an object.`);
    // The values are checked against the schemas.
    return tree as ConfigObject;
  } catch (error) {
    const root = file.slice(0, -shown.length);
    const reason =
      error instanceof NotAnObject ? error.message : await describeScriptError(error, { root, file });
    throw new ConfigurationError(`${shown} cannot be loaded: ${withOwnAdvice(reason)}`, { cause: error });
  }
}

/** Node.js advises a rename to `.cjs` for CommonJS in an ES module, but such files are not read as configuration. */
function withOwnAdvice(reason: string): string {
  return reason.replace(
    /To treat it as a CommonJS script, .*$/m,
    'Use the syntax of ES modules: write "export default { … };" instead of "module.exports = { … };".',
  );
}

/** The script does not export an object. */
class NotAnObject extends Error {}

/** Returns the exports of a CommonJS module; undefined for an ES module, which `require` never reloads. */
function requireFresh(file: string): unknown {
  const require = createRequire(file);
  evictFromRequireCache(file, require.cache);
  try {
    const loaded: unknown = require(file);
    return types.isModuleNamespaceObject(loaded) ? undefined : loaded;
  } catch (error) {
    if (systemErrorCode(error) === 'ERR_REQUIRE_ASYNC_MODULE') return undefined;
    throw error;
  }
}

/** Evicts a script and its dependencies outside of `node_modules` from the cache of `require`. */
function evictFromRequireCache(file: string, cache: NodeJS.Dict<NodeJS.Module>): void {
  if (file.includes(`${path.sep}node_modules${path.sep}`)) return;
  const children = cache[file]?.children ?? [];
  Reflect.deleteProperty(cache, file);
  for (const { id } of children) evictFromRequireCache(id, cache);
}

/** `import` never loads the same URL twice: each version of the file gets its own. */
async function importFresh(file: string): Promise<unknown> {
  const { mtimeMs, size } = await stat(file);
  return import(`${pathToFileURL(file).href}?${mtimeMs}-${size}`);
}
