import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, copyFile, lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Parser, type ReadEntry } from 'tar';
import { errorMessage, FileError, isSystemError, systemErrorCode, withFileErrors } from '../../framework';
import { UsageError } from '../usage-error';
import { MANIFEST_FILE, parseManifest, type BackupManifest } from './manifest';

/** A backup whose manifest is valid; its content is not verified yet. */
export interface OpenBackup {
  readonly manifest: BackupManifest;
  /**
   * Writes the files that the manifest names to a folder.
   * @throws UsageError for anything else, FileError for what cannot be read, and the system errors of writes
   */
  extract(folder: string): Promise<void>;
}

/** A manifest with a million files is a third of that. */
const MAX_MANIFEST_BYTES = 512 * 1024 * 1024;

/** Opens a folder or an archive. @throws UsageError if it is none, FileError if it cannot be read */
export async function openBackup(source: string, version: string): Promise<OpenBackup> {
  const info = await ifExists(source, () => stat(source));
  if (info === undefined) throw new UsageError(`${source} does not exist. Specify an existing backup.`);
  return info.isDirectory() ? openFolder(source, version) : openArchive(source, version);
}

async function openFolder(source: string, version: string): Promise<OpenBackup> {
  const file = path.join(source, MANIFEST_FILE);
  const text = await ifExists(file, () => readFile(file, 'utf8'));
  if (text === undefined) throw new UsageError(`${source} is not a backup: it contains no ${MANIFEST_FILE}.`);
  const manifest = parseManifest(text, version);
  return {
    manifest,
    extract: async (folder) => {
      await withFileErrors(source, () => assertNoOthers(source, manifest), 'read');
      for (const { path: name } of manifest.files) {
        const file = path.join(source, name);
        const info = await lstat(file).catch(() => undefined);
        if (info?.isFile() !== true) throw refused(name, info === undefined ? 'is missing' : 'is not a file');
        // Errors of the copy are those of the write then.
        await withFileErrors(file, () => access(file, constants.R_OK), 'read');
        await mkdir(path.dirname(path.join(folder, name)), { recursive: true, mode: 0o700 });
        await copyFile(file, path.join(folder, name));
      }
    },
  };
}

/** The result of a read; undefined if there is no such file. @throws FileError for any other reason */
async function ifExists<T>(file: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withFileErrors(file, read, 'read');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error))) return undefined;
    throw error;
  }
}

/** A link anywhere could lead out of the folder. */
async function assertNoOthers(source: string, { files, folders }: BackupManifest): Promise<void> {
  const [known, below] = [new Set(files.map((file) => file.path)), new Set(folders.map((one) => one.path))];
  for (const entry of await readdir(source, { withFileTypes: true, recursive: true })) {
    const name = path.relative(source, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
    if (
      name === MANIFEST_FILE ||
      (entry.isFile() && known.has(name)) ||
      (entry.isDirectory() && below.has(name))
    )
      continue;
    throw refused(name, entry.isSymbolicLink() ? 'is a link' : 'is not in the manifest');
  }
}

async function openArchive(source: string, version: string): Promise<OpenBackup> {
  let manifest: BackupManifest | undefined;
  await readEntries(source, async (entry, isFirst) => {
    if (!isFirst) return 'stop';
    if (entry.path !== MANIFEST_FILE || entry.type !== 'File' || entry.size > MAX_MANIFEST_BYTES)
      throw new UsageError(`${source} is not a backup: its first entry is not ${MANIFEST_FILE}.`);
    manifest = parseManifest((await entry.concat()).toString('utf8'), version);
    return 'continue';
  });
  if (manifest === undefined)
    throw new UsageError(`${source} is not a backup: it contains no ${MANIFEST_FILE}.`);
  const known: BackupManifest = manifest;
  return { manifest: known, extract: (folder) => extractArchive(source, known, folder) };
}

async function extractArchive(source: string, manifest: BackupManifest, folder: string): Promise<void> {
  const files = new Map(manifest.files.map((file) => [file.path, file]));
  const folders = new Set(manifest.folders.map((one) => one.path));
  await readEntries(source, async (entry, isFirst) => {
    const name = entry.path.replace(/\/$/, '');
    if (isFirst) await drain(entry);
    else if (entry.type === 'Directory' && folders.has(name)) await drain(entry);
    else await extractFile(entry, files.get(name)?.bytes, path.join(folder, name));
    // Twice the same name is not what this platform writes.
    files.delete(name);
    return 'continue';
  });
}

async function extractFile(entry: ReadEntry, bytes: number | undefined, file: string): Promise<void> {
  if (entry.type !== 'File' && entry.type !== 'OldFile') throw refused(entry.path, `is a ${entry.type}`);
  if (bytes === undefined) throw refused(entry.path, 'is not in the manifest');
  if (entry.size !== bytes) throw refused(entry.path, `has ${entry.size} bytes instead of ${bytes}`);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await pipeline(entry, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
}

async function drain(entry: ReadEntry): Promise<void> {
  entry.resume();
  await entry.promise();
}

type Handle = (entry: ReadEntry, isFirst: boolean) => Promise<'continue' | 'stop'>;

/**
 * Calls a function for each entry, one after the other.
 * @throws UsageError for a malformed or incomplete archive, FileError for one that cannot be read, and the errors of
 * the function
 */
async function readEntries(source: string, handle: Handle): Promise<void> {
  const input = createReadStream(source);
  await new Promise<void>((resolve, reject) => {
    let count = 0;
    let isStopped = false;
    let current: ReadEntry | undefined;
    // The next entry may arrive before the previous one is handled.
    let last = Promise.resolve();
    const fail = (error: unknown): void => {
      input.destroy();
      // Whoever reads the entry stops before the caller removes what was written.
      current?.destroy(error);
      const reason = explainError(source, error);
      last.catch(() => undefined).finally(() => reject(reason));
    };
    const handleNext = async (entry: ReadEntry): Promise<void> => {
      current = entry.on('error', () => undefined);
      if (isStopped || (await handle(entry, count++ === 0)) === 'continue') return;
      isStopped = true;
      input.destroy();
      resolve();
    };
    const parser = new Parser({
      strict: true,
      maxMetaEntrySize: 1_048_576,
      onReadEntry: (entry) => {
        last = last.then(() => handleNext(entry));
        last.catch(fail);
      },
    });
    parser.on('error', fail);
    parser.on('end', () => void last.then(resolve, fail));
    input.on('error', (error) =>
      fail(new FileError(source, systemErrorCode(error), { use: 'read', cause: error })),
    );
    input.pipe(parser);
  });
}

function refused(name: string, reason: string): UsageError {
  return new UsageError(`The backup is refused: ${JSON.stringify(name)} ${reason}. Nothing was changed.`);
}

/** Errors that neither this platform nor the system reports are those of an archive that cannot be parsed. */
function explainError(source: string, error: unknown): Error {
  if (error instanceof UsageError || error instanceof FileError) return error;
  // A file that cannot be written: the backup is not to blame.
  if (error instanceof Error && isSystemError(error)) return error;
  return new UsageError(`${source} is damaged or not a backup: ${errorMessage(error)}. Nothing was changed.`);
}
