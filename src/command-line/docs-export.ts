import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, FileError, StartError } from '../framework';
import type { ConfigIo } from './config-command';
import { served } from './docs-server';
import { siteOf } from './docs-site';

/** Is in every export, and says that the folder may be replaced by the next one. */
const MARKER = '.platform-documentation';
const MARKED = 'Written by "platform docs export": with --force, this folder is replaced as a whole.\n';

/**
 * Writes what guests may read of a project's documentation, in every format, as static files. The folder is there as
 * a whole or not at all. Of a symbolic link, it is what the link leads to.
 * @param options `force`: an earlier export is replaced
 * @throws StartError for a project that cannot be started, and for a folder that may not be replaced
 * @throws FileError when something cannot be written
 */
export async function exportDocumentation(
  root: string,
  folder: string,
  io: ConfigIo,
  options: { readonly force?: boolean } = {},
): Promise<void> {
  const place = await placeOf(folder);
  await assertMayReplace(place, root, options.force === true);
  const files = new Map([...(await served(root, io, siteOf)), [MARKER, Buffer.from(MARKED)]]);
  await writeSite(place, files);
  io.stdout.write(`Wrote ${files.size} files to ${folder}. Open ${path.join(folder, 'index.html')}.\n`);
}

/**
 * Where a folder is that may be a symbolic link: what would be put in the place of a link is not where it leads.
 * @throws StartError for a link to nothing
 */
async function placeOf(folder: string): Promise<string> {
  const isLink = await lstat(folder).then(
    (stats) => stats.isSymbolicLink(),
    // What is wrong with the folder itself is found where it is read.
    () => false,
  );
  if (!isLink) return folder;
  return realpath(folder).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw new FileError(folder, errorCode(error), { cause: error });
    throw new StartError(
      `${folder} is a symbolic link to nothing. Make the folder that it leads to, or delete the link.`,
    );
  });
}

/** @throws StartError for a folder that would be missed: any that holds something and that no export made */
async function assertMayReplace(folder: string, root: string, force: boolean): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw new FileError(folder, errorCode(error), { cause: error });
  });
  if (entries.length === 0) return;
  const there = await realpath(folder);
  for (const needed of [await realpath(root), process.cwd()]) {
    if (needed !== there && !needed.startsWith(there + path.sep)) continue;
    throw new StartError(`${folder} holds ${needed}: it cannot be replaced. Name another folder.`);
  }
  const found = `${folder} is not empty (${entries.length} ${entries.length === 1 ? 'entry' : 'entries'})`;
  if (!entries.some((entry) => entry.isFile() && entry.name === MARKER)) {
    throw new StartError(
      `${found} and is no export: it has no file ${MARKER}, so --force does not replace it either. Name another folder; delete by hand an export that an earlier version made.`,
    );
  }
  if (!force) throw new StartError(`${found}: --force replaces the whole folder.`);
}

/** Written beside its place, and put there when it is complete. */
async function writeSite(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const draft = `${folder}.${randomUUID()}.tmp`;
  try {
    for (const [name, bytes] of files) {
      const file = path.join(draft, ...name.split('/'));
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, bytes, { flag: 'wx' });
    }
    await replaceFolder(folder, draft);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error instanceof Error && 'syscall' in error
      ? new FileError(folder, errorCode(error), { cause: error })
      : error;
  }
}

async function replaceFolder(folder: string, draft: string): Promise<void> {
  const old = `${draft}.old`;
  const replaced = await rename(folder, old).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
  try {
    await rename(draft, folder);
  } catch (error) {
    if (replaced) await rename(old, folder);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}
