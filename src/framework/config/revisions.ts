import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { writing } from '../files/file-error';
import { readIfThere } from '../files/read-if-there';
import { removeFile, replaceFile } from '../files/replace-file';
import { errorCode } from './error-code';
import { isTree } from './tree';

/** One change of `config/autoload/local.json`. */
export interface Revision {
  readonly number: number;
  /** When, in ISO 8601. */
  readonly at: string;
  /** Who. */
  readonly by: string;
  /** By which way: `page`, `api`, `command`; undefined where that is not known. */
  readonly via?: string;
  /** What, in one line. */
  readonly summary: string;
  /** The whole file before; null for no file. */
  readonly before: string | null;
  /** The whole file after; null for no file. */
  readonly after: string | null;
}

/** How many are kept. */
const KEPT = 50;

/** `000012.json`; `000012.pending` while the file that it speaks of is not written for certain. */
const NAME = /^(\d{6,})\.(json|pending)$/;

/** What a process that was killed while it wrote a revision has left. */
const LITTER = /^\d{6,}\.pending\..+\.tmp$/;

/**
 * The revisions of a file, each a file of its own in a folder. One is first written as pending, then the file
 * that it speaks of is, then it is made final. A pending one that a process which was killed has left counts
 * exactly when the file is what it says.
 */
export class RevisionFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * The revisions that are kept, the newest first. What cannot be parsed is left out.
   * @param current the text of the file now; null for no file
   */
  async list(current: string | null): Promise<readonly Revision[]> {
    const found: Revision[] = [];
    for (const { name, isPending } of await this.#names()) {
      const revision = await this.#read(name);
      if (revision !== undefined && (!isPending || revision.after === current)) found.push(revision);
    }
    return found.sort((one, other) => other.number - one.number).slice(0, KEPT);
  }

  /** For who holds the lock of the file: decides what became of revisions that a killed process has left. */
  async settle(current: string | null): Promise<void> {
    for (const name of await this.#present()) {
      if (LITTER.test(name)) await removeFile(path.join(this.#folder, name));
    }
    for (const { name, isPending } of await this.#names()) {
      if (!isPending) continue;
      if ((await this.#read(name))?.after === current) await this.#finish(name);
      else await removeFile(path.join(this.#folder, name));
    }
  }

  /**
   * Keeps a revision around the writing of what it speaks of.
   * @param write writes the file; when it fails, there is no revision
   * @throws FileError when the system refuses
   */
  async record(revision: Revision, write: () => Promise<void>): Promise<void> {
    const name = `${String(revision.number).padStart(6, '0')}.pending`;
    const file = path.join(this.#folder, name);
    await writing(file, () => mkdir(this.#folder, { recursive: true, mode: 0o700 }));
    await replaceFile(file, `${JSON.stringify(revision, null, 2)}\n`);
    try {
      await write();
    } catch (error) {
      // One that stays says what the file is not, and is not listed.
      await removeFile(file).catch(() => undefined);
      throw error;
    }
    // The file is written: whatever fails from here on is mended by the next change.
    await this.#finish(name).catch(() => undefined);
    await this.#trim().catch(() => undefined);
  }

  async #finish(name: string): Promise<void> {
    const from = path.join(this.#folder, name);
    await rename(from, from.replace(/\.pending$/, '.json'));
  }

  async #trim(): Promise<void> {
    const names = (await this.#names()).map(({ name }) => name).sort();
    for (const name of names.slice(0, -KEPT)) await removeFile(path.join(this.#folder, name));
  }

  async #names(): Promise<readonly { readonly name: string; readonly isPending: boolean }[]> {
    return (await this.#present())
      .filter((name) => NAME.test(name))
      .map((name) => ({ name, isPending: name.endsWith('.pending') }));
  }

  async #present(): Promise<readonly string[]> {
    try {
      return await writing(this.#folder, () => readdir(this.#folder));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  async #read(name: string): Promise<Revision | undefined> {
    const file = path.join(this.#folder, name);
    // Between the listing and now it may have been made final.
    const bytes = (await readIfThere(file)) ?? (await readIfThere(file.replace(/\.pending$/, '.json')));
    return bytes === undefined ? undefined : toRevision(bytes.toString());
  }
}

function toRevision(text: string): Revision | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isTree(value)) return undefined;
  const { number, at, by, via, summary, before, after } = value;
  const isWhole =
    typeof number === 'number' &&
    typeof at === 'string' &&
    typeof by === 'string' &&
    typeof summary === 'string' &&
    isTextOrNull(before) &&
    isTextOrNull(after);
  if (!isWhole) return undefined;
  return { number, at, by, ...(typeof via === 'string' ? { via } : {}), summary, before, after };
}

function isTextOrNull(value: unknown): value is string | null {
  return typeof value === 'string' || value === null;
}
