import path from 'node:path';
import type { Configuration } from '../../../../framework';
import { ADMIN_KEY, PASSWORD_FILE_FOLDERS } from '../../settings';
import { fileUses, type FileUse } from './password-file-kind';
import { resolveLinks, isBelow, PathError, projectFile, type ProjectFile } from './project-file';

/**
 * Resolves the path of a password file, which must be in the folders of `platform-admin.password_file_folders`, even
 * through symbolic links, or used by an active adapter. Reveals nothing about other files, not even whether they
 * exist.
 *
 * @param uses the files of active adapters; defaults to their password files
 * @throws PathError
 */
export async function allowedFile(
  configuration: Configuration,
  input: string,
  uses: readonly Pick<FileUse, 'path'>[] = fileUses(configuration),
): Promise<ProjectFile> {
  const { root } = configuration;
  const names = allowedFolders(configuration);
  const folders = names.map((name) => path.resolve(root, name));
  const isNamedInside =
    input.trim() === '' || folders.some((folder) => isBelow(folder, path.resolve(root, input)));
  const file = isNamedInside
    ? await projectFile(root, input)
    : await projectFile(root, input).catch(() => undefined);
  if (file !== undefined) {
    const real = await Promise.all(folders.map(resolveLinks));
    if (isNamedInside && real.some((folder) => isBelow(folder, file.real))) return file;
    if ((await usesOf(root, file, uses)).length > 0) return file;
  }
  const list = names.length === 0 ? 'none' : names.join(', ');
  const how = isNamedInside ? 'is outside the folders' : 'is not in one of the folders';
  throw new PathError(`${how} for password files (${ADMIN_KEY}.password_file_folders: ${list})`);
}

/** Returns the adapters that use a file of the project. */
export async function adaptersUsing(
  configuration: Configuration,
  file: ProjectFile,
): Promise<readonly FileUse[]> {
  return usesOf(configuration.root, file, fileUses(configuration));
}

async function usesOf<T extends Pick<FileUse, 'path'>>(
  root: string,
  { real }: ProjectFile,
  uses: readonly T[],
): Promise<readonly T[]> {
  const files = await Promise.all(uses.map((use) => projectFile(root, use.path).catch(() => undefined)));
  return uses.filter((_, at) => files[at]?.real === real);
}

/** The command line also supports projects without the admin module. */
function allowedFolders(configuration: Configuration): readonly string[] {
  const names = configuration.valueAt([ADMIN_KEY, 'password_file_folders']);
  return Array.isArray(names)
    ? names.filter((name): name is string => typeof name === 'string')
    : PASSWORD_FILE_FOLDERS;
}
