import path from 'node:path';
import {
  LOCAL_FILE,
  makeFolder,
  objectOf,
  pathInside,
  readFileIfExists,
  replaceFile,
  removeFile,
  resolveLink,
  type Configuration,
  type ConfigValue,
  type KeyPath,
} from '../../../framework';
import { hashOf } from '../store/stored-revision';

/** The options of adapters that name files. */
const FILE_OPTIONS = ['htpasswd', 'htdigest', 'htgroup'] as const;

/** The roles of the administrators are in a file of the same name that ends in `.json`. */
const NAME_END = /(?:\.htpasswd)?$/;

/** The kind of adapters whose option `keys` names a file. */
const KEY_ADAPTER = 'ApiKeyAdapter';

/**
 * Returns the paths of the files that all nodes share, relative to the project: `config/autoload/local.json`, the password,
 * digest, group and key files of adapters, and the files of the administrators. Files outside of the project are not shared.
 */
export function sharedPaths(configuration: Configuration): readonly string[] {
  return [LOCAL_FILE, ...namedPaths(configuration.root, (path) => configuration.valueAt(path))];
}

/**
 * Returns the paths of the files that a configuration names.
 * @param valueAt its values; those with environment variables are skipped
 */
export function namedPaths(
  root: string,
  valueAt: (path: KeyPath) => ConfigValue | undefined,
): readonly string[] {
  const adapters = valueAt(['platform-mvc-auth', 'authentication', 'adapters']);
  const named = Object.values(objectOf(adapters)).flatMap((adapter) => {
    const { adapter: kind, options } = objectOf(adapter);
    const files = kind === KEY_ADAPTER ? (['keys'] as const) : FILE_OPTIONS;
    return files.map((option) => objectOf(options)[option]);
  });
  const administrators = valueAt(['platform-admin', 'administrators']);
  const accounts = typeof administrators === 'string' ? administrators.replace(NAME_END, '.json') : undefined;
  const found = [...named, administrators, accounts].flatMap((one) => {
    const shared = typeof one === 'string' && !one.includes('${') ? sharedPath(root, one) : undefined;
    return shared === undefined ? [] : [shared];
  });
  return [...new Set(found)];
}

/** @returns the path relative to the project, with `/`; undefined outside of it */
export function sharedPath(root: string, file: string): string | undefined {
  const inside = pathInside(root, path.resolve(root, file));
  return inside === '' ? undefined : inside?.split(path.sep).join('/');
}

/** The shared files in the folder of a project. */
export class SharedDocuments {
  /** The folder of the project. */
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Returns the absolute path of a document. @throws Error for one that is not inside of the project */
  fileOf(name: string): string {
    const file = path.resolve(this.root, name);
    if (sharedPath(this.root, file) !== name)
      throw new Error(`The configuration store names a file outside of the project: ${name}`);
    return file;
  }

  read(name: string): Promise<Buffer | undefined> {
    return readFileIfExists(this.fileOf(name));
  }

  /** Reads those that exist. */
  async readAll(names: Iterable<string>): Promise<ReadonlyMap<string, Buffer>> {
    const found = new Map<string, Buffer>();
    for (const name of names) {
      const content = await this.read(name);
      if (content !== undefined) found.set(name, content);
    }
    return found;
  }

  /** @returns undefined for a file that does not exist */
  async hashOf(name: string): Promise<string | undefined> {
    const content = await this.read(name);
    return content === undefined ? undefined : hashOf(content);
  }

  /** Replaces a file atomically. @returns whether it had another content */
  async write(name: string, content: Buffer): Promise<boolean> {
    const file = this.fileOf(name);
    if ((await readFileIfExists(file))?.equals(content) === true) return false;
    await makeFolder(path.dirname(file));
    await replaceFile(await resolveLink(file), content);
    return true;
  }

  remove(name: string): Promise<void> {
    return removeFile(this.fileOf(name));
  }
}
