import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './error-code';
import { environmentLayer, substitute, type Environment, type WrittenValue } from './environment';
import { parseJsonText, readJsonFile, withoutSchemaName, type JsonFile } from './json-file';
import { LOCAL_FILE } from './local-file';
import { passedOver } from './passed-over';
import { readScript } from './script-file';
import { StartError } from './start-error';
import { showPath, type ConfigTree, type KeyPath } from './tree';

/** One source of configuration; later layers win over earlier ones. */
export interface Layer {
  /** How messages name it: a file relative to the project's root, a module, the environment. */
  readonly source: string;
  readonly tree: ConfigTree;
  /** `line:column` of the value at a path, where the source is a text file. */
  readonly locate?: (path: KeyPath) => string;
  /** The values that name environment variables. */
  readonly written?: readonly WrittenValue[];
}

export interface LayerOptions {
  /** What `config/autoload/local.json` shall hold instead, to see what would be; null for no such file. */
  readonly local?: string | null | undefined;
}

/** What could be read of the layers, and what is wrong with the rest. */
export interface ReadLayers {
  readonly layers: readonly Layer[];
  /** Without any, the layers are complete. */
  readonly errors: readonly string[];
  /** What an operator should know though they are complete: files that look like layers and are none. */
  readonly warnings: readonly string[];
}

/**
 * The layers of a project in rising order: `global.json`, `*.global.{json,js}`, `local.json`,
 * `*.local.{json,js}` below `config/autoload`, then the environment. Files of one kind go by name.
 *
 * @param root the folder that holds `config/`
 * @throws StartError for a folder that cannot be read
 */
export async function readLayers(
  root: string,
  environment: Environment,
  { local }: LayerOptions = {},
): Promise<ReadLayers> {
  const folder = path.join(root, 'config', 'autoload');
  const layers: Layer[] = [];
  const errors: string[] = [];
  const collect = async (read: () => Layer | undefined | Promise<Layer | undefined>): Promise<void> => {
    try {
      const layer = await read();
      if (layer === undefined) return;
      const { tree, unset, written } = substitute(layer.tree, environment);
      layers.push({ ...layer, tree, written });
      errors.push(...unset.map((variable) => missing(layer, variable)));
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      errors.push(error.message);
    }
  };
  const present = await namesIn(folder);
  for (const name of inOrder(present, local)) {
    const file = path.join(folder, name);
    const shown = `config/autoload/${name}`;
    if (shown === LOCAL_FILE && typeof local === 'string') {
      await collect(() => layerOf(parseJsonText(local, shown)));
    } else if (name.endsWith('.js')) {
      await collect(async () => ({ source: shown, tree: await readScript(file, shown) }));
    } else await collect(async () => layerOf(await readJsonFile(file, shown)));
  }
  try {
    layers.push({ source: 'the environment', tree: environmentLayer(environment) });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    errors.push(error.message);
  }
  return { layers, errors, warnings: passedOver(present, inOrder(present, undefined)) };
}

/** The names of files that are layers, the lowest first. */
function inOrder(present: readonly string[], local: string | null | undefined): readonly string[] {
  const names = new Set(present);
  if (typeof local === 'string') names.add('local.json');
  if (local === null) names.delete('local.json');
  const sorted = [...names].sort();
  return ['global', 'local'].flatMap((kind) => [
    ...sorted.filter((name) => name === `${kind}.json`),
    ...sorted.filter((name) => name.endsWith(`.${kind}.json`) || name.endsWith(`.${kind}.js`)),
  ]);
}

function missing({ source, locate }: Layer, { path: at, name }: { path: KeyPath; name: string }): string {
  const place = locate === undefined ? '' : `:${locate(at)}`;
  return `${source}${place}: ${showPath(at)} names the environment variable ${name}, which is not set. Set it, or write the value.`;
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

function layerOf(json: JsonFile | undefined): Layer | undefined {
  if (json === undefined) return undefined;
  return { source: json.file, tree: withoutSchemaName(json.value), locate: (at) => json.locate(at) };
}
