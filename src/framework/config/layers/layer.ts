import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../../errors/system-error-code';
import { environmentLayer, substitute, type Environment, type WrittenValue } from './environment';
import {
  parseContent,
  readJsonFile,
  withoutSchemaKey,
  type JsonFile,
  type ParseJson,
} from '../../json/json-file';
import type { JsonPositions } from '../../json/json-positions';
import { ignoredFiles, misplacedFiles } from './ignored-files';
import { programLayer, type ProgramConfiguration } from './program-layer';
import { readScript } from './script-file';
import { ConfigurationError } from '../../errors/configuration-error';
import { formatKeyPath, type ConfigObject, type KeyPath } from '../../values/config-object';

/** The file that the admin pages write, relative to the project. */
export const LOCAL_FILE = 'config/autoload/local.json';

/** One source of configuration; later layers override earlier ones. */
export interface Layer {
  /** Its name in messages: a file relative to the project, a module, the environment. */
  readonly source: string;
  readonly tree: ConfigObject;
  /** Returns `line:column` of the value at a path; for text files. */
  readonly locate?: (path: KeyPath) => string;
  /**
   * Returns the positions of all values; scanned on first use, in steps; for text files.
   * @internal
   */
  readonly positions?: () => Generator<undefined, JsonPositions, void>;
  /** The values with environment variables. */
  readonly written?: readonly WrittenValue[];
}

/** What the layers are read from, if not only from the files of the project and the environment. */
export interface LayerOptions {
  /** Replaces the text of `config/autoload/local.json`, for previews; null means that the file does not exist. */
  readonly local?: string | null | undefined;
  /** Layers that were read before, which are used instead of the files and the environment. */
  readonly layers?: readonly Layer[] | undefined;
  /** Configuration that overrides the files. */
  readonly program?: ProgramConfiguration | undefined;
  /** Whether there are files to read; defaults to true. */
  readonly hasFiles?: boolean;
  /**
   * Parses the text of a file; by default, at once.
   * @internal
   */
  readonly parse?: ParseJson;
}

/** The readable layers, and the errors of the others. */
export interface ReadLayers {
  readonly layers: readonly Layer[];
  /** Empty if the layers are complete. */
  readonly errors: readonly string[];
  /** Files that look like layers but are ignored. */
  readonly warnings: readonly string[];
}

/**
 * Reads the layers of a project, lowest first: `global.json`, `*.global.{json,js}`, `local.json`, `*.local.{json,js}`
 * in `config/autoload`, then what a program passed, then the environment. Files of one kind are sorted by name.
 *
 * @param root the folder with `config/`
 * @throws ConfigurationError for a folder that cannot be read
 */
export async function readLayers(
  root: string,
  environment: Environment,
  options: LayerOptions = {},
): Promise<ReadLayers> {
  const { local, layers: known, program, hasFiles = true, parse = parseContent } = options;
  if (known !== undefined) return { layers: known, errors: [], warnings: [] };
  const folder = path.join(root, 'config', 'autoload');
  const layers: Layer[] = [];
  const errors: string[] = [];
  const collect = async (read: () => Layer | undefined | Promise<Layer | undefined>): Promise<void> => {
    try {
      const layer = await read();
      if (layer === undefined) return;
      const { tree, unset, written } = substitute(layer.tree, environment);
      layers.push({ ...layer, tree, written });
      for (const variable of unset) errors.push(missingVariable(layer, variable));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      errors.push(error.message);
    }
  };
  const present = hasFiles ? await namesIn(folder) : [];
  for (const name of hasFiles ? layerFiles(present, local) : []) {
    const file = path.join(folder, name);
    const shown = `config/autoload/${name}`;
    if (shown === LOCAL_FILE && typeof local === 'string') {
      await collect(async () => layerOf(await parse(local, shown)));
    } else {
      await collect(async () => {
        if (await isMissing(file, shown)) return undefined;
        return name.endsWith('.js')
          ? { source: shown, tree: await readScript(file, shown) }
          : layerOf(await readJsonFile(file, shown, parse));
      });
    }
  }
  if (program !== undefined) await collect(() => programLayer(program));
  try {
    layers.push({ source: 'the environment', tree: environmentLayer(environment) });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    errors.push(error.message);
  }
  // The folder need not be readable: its files are opened by their names.
  const above = hasFiles ? await readdir(path.dirname(folder)).catch(() => []) : [];
  const ignored = ignoredFiles(present, layerFiles(present, undefined));
  return { layers, errors, warnings: [...ignored, ...misplacedFiles(above)] };
}

/** Returns the names of the layer files, lowest first. Hidden files, such as the locks of editors, are none. */
function layerFiles(present: readonly string[], local: string | null | undefined): readonly string[] {
  const names = new Set(present);
  if (typeof local === 'string') names.add('local.json');
  if (local === null) names.delete('local.json');
  const sorted = [...names].filter((name) => !name.startsWith('.')).sort();
  return ['global', 'local'].flatMap((kind) => [
    ...sorted.filter((name) => name === `${kind}.json`),
    ...sorted.filter((name) => name.endsWith(`.${kind}.json`) || name.endsWith(`.${kind}.js`)),
  ]);
}

function missingVariable(
  { source, locate }: Layer,
  { path: at, name }: { path: KeyPath; name: string },
): string {
  const position = locate === undefined ? '' : `:${locate(at)}`;
  return `${source}${position}: ${formatKeyPath(at)} refers to the environment variable ${name}, which is not set. Set it, or write the value in the file.`;
}

/**
 * Returns whether a file of the folder was removed meanwhile.
 * @throws ConfigurationError for a link to a missing file, without whose settings the service would start
 */
async function isMissing(file: string, shown: string): Promise<boolean> {
  if ((await stat(file).then(() => '', systemErrorCode)) !== 'ENOENT') return false;
  const found = await lstat(file).catch(() => undefined);
  if (found?.isSymbolicLink() !== true) return true;
  throw new ConfigurationError(
    `${shown} is a link to a file that does not exist. Restore that file, or remove the link.`,
  );
}

/** @throws ConfigurationError for an unreadable folder, which would look like an empty configuration */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw new ConfigurationError(
      `The folder ${folder} cannot be read (${systemErrorCode(error)}). Make it readable for this user.`,
      {
        cause: error,
      },
    );
  }
}

function layerOf(json: JsonFile | undefined): Layer | undefined {
  if (json === undefined) return undefined;
  return {
    source: json.file,
    tree: withoutSchemaKey(json.value),
    locate: (at) => json.locate(at),
    positions: () => json.positions(),
  };
}
