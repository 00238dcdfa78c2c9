import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, FileError, StartError } from '../framework';
import type { ConfigIo } from './config-command';
import { served } from './docs-server';
import { siteOf } from './docs-site';

/**
 * Writes what guests may read of a project's documentation, in every format, as static files. The folder is there as
 * a whole or not at all.
 * @param options `force`: a folder that holds something is replaced
 * @throws StartError for a project that cannot be started, and for a folder that may not be replaced
 * @throws FileError when something cannot be written
 */
export async function exportDocumentation(
  root: string,
  folder: string,
  io: ConfigIo,
  options: { readonly force?: boolean } = {},
): Promise<void> {
  await assertMayReplace(folder, root, options.force === true);
  const files = await served(root, io, siteOf);
  await writeSite(folder, files);
  io.stdout.write(`Wrote ${files.size} files to ${folder}. Open ${path.join(folder, 'index.html')}.\n`);
}

/** @throws StartError for a folder that would be missed */
async function assertMayReplace(folder: string, root: string, force: boolean): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw new FileError(folder, errorCode(error), { cause: error });
  });
  if (names.length === 0) return;
  const there = await realpath(folder);
  for (const needed of [await realpath(root), process.cwd()]) {
    if (needed !== there && !needed.startsWith(there + path.sep)) continue;
    throw new StartError(`${folder} holds ${needed}: it cannot be replaced. Name another folder.`);
  }
  if (!force) {
    throw new StartError(
      `${folder} is not empty (${names.length} ${names.length === 1 ? 'entry' : 'entries'}): --force replaces the whole folder.`,
    );
  }
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
