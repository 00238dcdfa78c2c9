import { randomUUID } from 'node:crypto';
import { lstat, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createFile, createFolders, FileError, isSystemError, systemErrorCode } from '../../framework';
import type { CommandContext } from '../command-context';
import { UsageError } from '../usage-error';
import { served } from './static-server';
import { crawlSite } from './site';

/** Marks a folder as an export, which the next export may replace. */
const MARKER = '.platform-documentation';
const MARKED = 'Written by "apidesc-platform docs export", which replaces the whole folder with --force.\n';

/**
 * Writes the documentation that guests may read, in every format, as static files. The folder is written atomically;
 * a symbolic link is followed.
 * @param options `force`: replace an earlier export
 * @throws ConfigurationError for an invalid configuration
 * @throws UsageError for a folder that must not be replaced
 * @throws FileError when a file cannot be written
 */
export async function exportDocumentation(
  root: string,
  folder: string,
  io: CommandContext,
  options: { readonly force?: boolean } = {},
): Promise<void> {
  const target = await resolveTarget(folder);
  await assertReplaceable(target, root, options.force === true);
  const files = new Map([...(await served(root, io, crawlSite)), [MARKER, Buffer.from(MARKED)]]);
  await writeSite(target, files);
  io.stdout.write(`Wrote ${files.size} files to ${folder}. Open ${path.join(folder, 'index.html')}.\n`);
}

/**
 * Follows a symbolic link: renaming a folder over it would replace the link itself.
 * @throws UsageError for a dangling link
 */
async function resolveTarget(folder: string): Promise<string> {
  const isLink = await lstat(folder).then(
    (stats) => stats.isSymbolicLink(),
    // Errors of the folder itself are reported when it is read.
    () => false,
  );
  if (!isLink) return folder;
  return realpath(folder).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'ENOENT')
      throw new FileError(folder, systemErrorCode(error), { cause: error });
    throw new UsageError(
      `${folder} is a symbolic link to a folder that does not exist. Create that folder, or delete the link.`,
    );
  });
}

/** @throws UsageError for a folder with content that no export wrote */
async function assertReplaceable(folder: string, root: string, force: boolean): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw new FileError(folder, systemErrorCode(error), { cause: error });
  });
  if (entries.length === 0) return;
  const target = await realpath(folder);
  for (const needed of [await realpath(root), process.cwd()]) {
    if (needed !== target && !needed.startsWith(target + path.sep)) continue;
    throw new UsageError(`${folder} contains ${needed}, so it cannot be replaced. Choose another folder.`);
  }
  const found = `${folder} is not empty (${entries.length} ${entries.length === 1 ? 'entry' : 'entries'})`;
  if (!entries.some((entry) => entry.isFile() && entry.name === MARKER)) {
    throw new UsageError(
      `${found} and is not an export: without a file ${MARKER}, --force does not replace it. Choose another folder, or delete it by hand.`,
    );
  }
  if (!force) throw new UsageError(`${found}. Use --force to replace the whole folder.`);
}

/** Writes to a temporary folder next to the target, then renames it. */
async function writeSite(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const draft = `${folder}.${randomUUID()}.tmp`;
  try {
    for (const [name, bytes] of files) {
      const file = path.join(draft, ...name.split('/'));
      createFolders(path.dirname(file));
      createFile(file, bytes);
    }
    await replaceFolder(folder, draft);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw isSystemError(error) ? new FileError(folder, systemErrorCode(error), { cause: error }) : error;
  }
}

async function replaceFolder(folder: string, draft: string): Promise<void> {
  const old = `${draft}.old`;
  const replaced = await rename(folder, old).then(
    () => true,
    (error: unknown) => {
      if (systemErrorCode(error) === 'ENOENT') return false;
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
