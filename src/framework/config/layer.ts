import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCode } from './error-code';
import { environmentLayer, substitute, type Environment } from './environment';
import { readJsonFile } from './json-file';
import { StartError } from './start-error';
import { isTree, type ConfigTree, type KeyPath } from './tree';

/** One source of configuration; later layers win over earlier ones. */
export interface Layer {
  /** How messages name it: a file relative to the project's root, a module, the environment. */
  readonly source: string;
  readonly tree: ConfigTree;
  /** `line:column` of the value at a path, where the source is a text file. */
  readonly locate?: (path: KeyPath) => string;
}

/**
 * The layers of a project in rising order: `global.json`, `*.global.{json,js}`, `local.json`,
 * `*.local.{json,js}` below `config/autoload`, then the environment. Files of one kind go by name.
 *
 * @param root the folder that holds `config/`
 * @throws StartError for a file that cannot be read or parsed
 */
export async function readLayers(root: string, environment: Environment): Promise<readonly Layer[]> {
  const folder = path.join(root, 'config', 'autoload');
  const present = [...(await namesIn(folder))].sort();
  const names = ['global', 'local'].flatMap((kind) => [
    ...present.filter((name) => name === `${kind}.json`),
    ...present.filter((name) => name.endsWith(`.${kind}.json`) || name.endsWith(`.${kind}.js`)),
  ]);
  const layers: Layer[] = [];
  for (const name of names) {
    const shown = `config/autoload/${name}`;
    const layer = name.endsWith('.js')
      ? await readScript(path.join(folder, name), shown)
      : await readLayer(path.join(folder, name), shown);
    if (layer !== undefined) layers.push({ ...layer, tree: substitute(layer.tree, environment, shown) });
  }
  return [...layers, { source: 'the environment', tree: environmentLayer(environment) }];
}

/** @throws StartError for a folder that is there and cannot be read: it would look as if nothing were configured */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new StartError(
      `The folder ${folder} cannot be read (${errorCode(error)}). Make it readable for this user.`,
      {
        cause: error,
      },
    );
  }
}

async function readLayer(file: string, shown: string): Promise<Layer | undefined> {
  const json = await readJsonFile(file, shown);
  if (json === undefined) return undefined;
  return { source: shown, tree: withoutSchemaName(json.value), locate: (at) => json.locate(at) };
}

/** `$schema` is for editors. */
function withoutSchemaName(tree: ConfigTree): ConfigTree {
  return Object.fromEntries(Object.entries(tree).filter(([key]) => key !== '$schema'));
}

async function readScript(file: string, shown: string): Promise<Layer> {
  try {
    const loaded: unknown = await import(pathToFileURL(file).href);
    const tree: unknown = isTree(loaded) && 'default' in loaded ? loaded.default : loaded;
    if (!isTree(tree)) throw new TypeError('its default export is no object');
    return { source: shown, tree };
  } catch (error) {
    throw new StartError(`${shown} cannot be loaded: ${String(error)}`, { cause: error });
  }
}
