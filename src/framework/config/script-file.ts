import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { errorCode } from './error-code';
import { StartError } from './start-error';
import { isTree, type ConfigTree } from './tree';

/**
 * What a script of configuration exports, read anew each time: also the project's CommonJS files that it requires.
 * Of an ES module only the script itself is.
 *
 * @param shown how messages name the file
 * @throws StartError when it cannot be loaded, or exports no object
 */
export async function readScript(file: string, shown: string): Promise<ConfigTree> {
  try {
    const loaded = requireAnew(file) ?? (await importAnew(file));
    const tree: unknown = isTree(loaded) && 'default' in loaded ? loaded.default : loaded;
    if (!isTree(tree)) throw new TypeError('its default export is no object');
    return tree;
  } catch (error) {
    throw new StartError(`${shown} cannot be loaded: ${String(error)}`, { cause: error });
  }
}

/** The exports of a CommonJS module; undefined for an ES module, which `require` never reads again. */
function requireAnew(file: string): unknown {
  const require = createRequire(file);
  forget(file, require.cache);
  try {
    const loaded: unknown = require(file);
    return types.isModuleNamespaceObject(loaded) ? undefined : loaded;
  } catch (error) {
    if (errorCode(error) === 'ERR_REQUIRE_ASYNC_MODULE') return undefined;
    throw error;
  }
}

/** Takes a script, and what it has required outside of `node_modules`, out of the cache of `require`. */
function forget(file: string, cache: NodeJS.Dict<NodeJS.Module>): void {
  if (file.includes(`${path.sep}node_modules${path.sep}`)) return;
  const children = cache[file]?.children ?? [];
  Reflect.deleteProperty(cache, file);
  for (const { id } of children) forget(id, cache);
}

/** `import` never reads the same address twice: each content has one of its own. */
async function importAnew(file: string): Promise<unknown> {
  const { mtimeMs, size } = await stat(file);
  return import(`${pathToFileURL(file).href}?${mtimeMs}-${size}`);
}
