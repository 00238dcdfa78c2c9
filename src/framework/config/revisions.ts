import { randomUUID } from 'node:crypto';
import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { withFileErrors } from '../files/file-error';
import { makeFolder, readFileIfExists, removeFile, replaceFile } from '../files/replace-file';
import { systemErrorCode } from '../errors/system-error-code';
import { isObject, parseJson } from '../values/config-object';

/** A change of `config/autoload/local.json`. */
export interface Revision {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  /** The interface: `page`, `api`, `command`; undefined where unknown. */
  readonly via?: string;
  /** One line. */
  readonly summary: string;
  /** The whole file before the change; null if it did not exist. */
  readonly before: string | null;
  /** The whole file after the change; null if it was removed. */
  readonly after: string | null;
}

/** Older revisions are deleted. */
const MAX_REVISIONS = 50;

/**
 * `000012.json`; before the configuration file is written, `000012.….pending`, with a unique name: a writer that was
 * wrongly considered dead must not touch the file of another.
 */
const NAME = /^(\d{6,})(?:\.[0-9a-f-]{36})?\.(json|pending)$/;

/** A temporary file left by a process that was killed while it wrote a revision. */
const TEMPORARY = /^\d{6,}\.(?:[0-9a-f-]{36}\.)?pending\..+\.tmp$/;

/**
 * The revisions of a file, one file each in a folder. A revision is first written as pending, then the file is
 * changed, then the revision is made final. A pending revision of a killed process is valid exactly when the file has
 * its text.
 */
export class RevisionFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Lists the revisions, the latest first, without malformed ones.
   * @param current the current text of the file; null if it does not exist
   */
  async list(current: string | null): Promise<readonly Revision[]> {
    const found: Revision[] = [];
    for (const { name, isPending } of await this.#revisionFiles()) {
      const revision = await this.#read(name);
      if (revision !== undefined && (!isPending || revision.after === current)) found.push(revision);
    }
    return found.sort((one, other) => other.number - one.number).slice(0, MAX_REVISIONS);
  }

  /** Finalizes or removes the pending revisions of killed processes. Call it with the lock of the file held. */
  async settlePending(current: string | null): Promise<void> {
    for (const name of await this.#fileNames()) {
      if (TEMPORARY.test(name)) await removeFile(path.join(this.#folder, name));
    }
    for (const { name, isPending } of await this.#revisionFiles()) {
      if (!isPending) continue;
      if ((await this.#read(name))?.after === current) await this.#finish(name).catch(unlessMissing);
      else await removeFile(path.join(this.#folder, name));
    }
  }

  /**
   * Records a revision around the change of the file.
   * @param write writes the file; if it fails, no revision is recorded
   * @throws FileError for a system error
   */
  async record(revision: Revision, write: () => Promise<void>): Promise<void> {
    const name = `${String(revision.number).padStart(6, '0')}.${randomUUID()}.pending`;
    const file = path.join(this.#folder, name);
    await withFileErrors(file, () => makeFolder(this.#folder, 0o700));
    await replaceFile(file, `${JSON.stringify(revision, null, 2)}\n`);
    try {
      await write();
    } catch (error) {
      // If it stays, it does not match the file, and is not listed.
      await removeFile(file).catch(() => undefined);
      throw error;
    }
    // The file is written: the next change repairs whatever fails from here on.
    await this.#finish(name).catch(() => undefined);
    await this.#trim().catch(() => undefined);
  }

  async #finish(name: string): Promise<void> {
    const from = path.join(this.#folder, name);
    await rename(from, path.join(this.#folder, finalName(name)));
  }

  async #trim(): Promise<void> {
    const names = (await this.#revisionFiles()).map(({ name }) => name).sort();
    for (const name of names.slice(0, -MAX_REVISIONS)) await removeFile(path.join(this.#folder, name));
  }

  async #revisionFiles(): Promise<readonly { readonly name: string; readonly isPending: boolean }[]> {
    return (await this.#fileNames())
      .filter((name) => NAME.test(name))
      .map((name) => ({ name, isPending: name.endsWith('.pending') }));
  }

  async #fileNames(): Promise<readonly string[]> {
    try {
      return await withFileErrors(this.#folder, () => readdir(this.#folder));
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  async #read(name: string): Promise<Revision | undefined> {
    const file = path.join(this.#folder, name);
    // It may have been finalized since the listing.
    const bytes =
      (await readFileIfExists(file)) ?? (await readFileIfExists(path.join(this.#folder, finalName(name))));
    return bytes === undefined ? undefined : toRevision(bytes.toString());
  }
}

/** A writer that is still alive may have finalized it. */
function unlessMissing(error: unknown): void {
  if (systemErrorCode(error) !== 'ENOENT') throw error;
}

function finalName(name: string): string {
  return name.replace(NAME, '$1.json');
}

function toRevision(text: string): Revision | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const { number, at, by, via, summary, before, after } = value;
  const isComplete =
    typeof number === 'number' &&
    typeof at === 'string' &&
    typeof by === 'string' &&
    typeof summary === 'string' &&
    isTextOrNull(before) &&
    isTextOrNull(after);
  if (!isComplete) return undefined;
  return { number, at, by, ...(typeof via === 'string' ? { via } : {}), summary, before, after };
}

function isTextOrNull(value: unknown): value is string | null {
  return typeof value === 'string' || value === null;
}
