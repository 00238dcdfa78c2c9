import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { withFileErrors } from '../files/file-error';
import { makeFolder, readFileIfExists, removeFile, replaceFile } from '../files/replace-file';
import { systemErrorCode } from '../errors/system-error-code';
import { isObject, parseJson } from '../values/config-object';

/** What a list shows of a change of `config/autoload/local.json`. */
export interface RevisionEntry {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  /** The interface: `page`, `api`, `command`; undefined where unknown. */
  readonly via?: string;
  /** One line. */
  readonly summary: string;
}

/** A revision in the list, with tags that identify the file before and after it: the file may be large. */
export interface TaggedRevision extends RevisionEntry {
  readonly beforeTag: string;
  readonly afterTag: string;
}

/** A change of `config/autoload/local.json`. */
export interface Revision extends RevisionEntry {
  /** The whole file before the change; null if it did not exist. */
  readonly before: string | null;
  /** The whole file after the change; null if it was removed. */
  readonly after: string | null;
}

/** Identifies the bytes of the file; `none` if it does not exist. */
export function tagOfText(text: string | Uint8Array | null | undefined): string {
  return text === null || text === undefined ? 'none' : createHash('sha256').update(text).digest('hex');
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
  /** Files that were read, by name: each may contain two large texts, and is not changed once it is final. */
  #known: ReadonlyMap<string, KnownFile> = new Map();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Lists the revisions, the latest first, without malformed ones.
   * @param current the tag of the file
   */
  async list(current: string): Promise<readonly TaggedRevision[]> {
    return (await this.#listed(current)).map(({ revision }) => revision);
  }

  /**
   * Reads a listed revision with its texts.
   * @param current the tag of the file
   */
  async get(number: number, current: string): Promise<Revision | undefined> {
    const found = (await this.#listed(current)).find(({ revision }) => revision.number === number);
    return found === undefined ? undefined : this.#read(found.name);
  }

  /** Returns the number of the latest final revision without reading it; 0 if there is none. */
  async latestNumber(): Promise<number> {
    const files = await this.#revisionFiles();
    return Math.max(0, ...files.filter(({ isPending }) => !isPending).map(({ name }) => parseInt(name, 10)));
  }

  async #listed(current: string): Promise<readonly ListedFile[]> {
    const found: ListedFile[] = [];
    const known = new Map<string, KnownFile>();
    for (const { name, isPending } of await this.#revisionFiles()) {
      const file = await this.#tagged(name, isPending);
      if (file === undefined) continue;
      known.set(name, file);
      const { revision } = file;
      if (revision !== undefined && (!isPending || revision.afterTag === current))
        found.push({ name, revision });
    }
    this.#known = known;
    return found
      .sort(({ revision: one }, { revision: other }) => other.number - one.number)
      .slice(0, MAX_REVISIONS);
  }

  /** Reads a revision, or returns it as it was read before. */
  async #tagged(name: string, isPending: boolean): Promise<KnownFile | undefined> {
    const state = isPending ? undefined : await this.#stateOf(name);
    const before = this.#known.get(name);
    if (before !== undefined && state !== undefined && before.state === state) return before;
    const revision = await this.#read(name);
    return { state, revision: revision === undefined ? undefined : tagged(revision) };
  }

  async #stateOf(name: string): Promise<string | undefined> {
    try {
      const { mtimeMs, size, ino } = await stat(path.join(this.#folder, name));
      return `${mtimeMs}:${size}:${ino}`;
    } catch {
      // It may have been deleted since the listing.
      return undefined;
    }
  }

  /**
   * Finalizes or removes the pending revisions of killed processes. Call it with the lock of the file held.
   * @param current the tag of the file
   */
  async settlePending(current: string): Promise<void> {
    for (const name of await this.#fileNames()) {
      if (TEMPORARY.test(name)) await removeFile(path.join(this.#folder, name));
    }
    for (const { name, isPending } of await this.#revisionFiles()) {
      if (!isPending) continue;
      if ((await this.#tagged(name, true))?.revision?.afterTag === current)
        await this.#finish(name).catch(unlessMissing);
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
      return await withFileErrors(this.#folder, () => readdir(this.#folder), 'read');
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  async #read(name: string): Promise<Revision | undefined> {
    const read = (one: string): Promise<Buffer | undefined> => {
      const file = path.join(this.#folder, one);
      return withFileErrors(file, () => readFileIfExists(file), 'read');
    };
    // It may have been finalized since the listing.
    const bytes = (await read(name)) ?? (await read(finalName(name)));
    return bytes === undefined ? undefined : toRevision(bytes.toString());
  }
}

/** A file that was read. */
interface KnownFile {
  /** Identifies its content; undefined if it is pending. */
  readonly state: string | undefined;
  /** Undefined if it is malformed. */
  readonly revision: TaggedRevision | undefined;
}

interface ListedFile {
  readonly name: string;
  readonly revision: TaggedRevision;
}

function tagged({ before, after, ...entry }: Revision): TaggedRevision {
  return { ...entry, beforeTag: tagOfText(before), afterTag: tagOfText(after) };
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
