import path from 'node:path';
import type { Configuration } from '../../../../framework';
import { invalid } from '../../changes/field-errors';
import { allowedFile, adaptersUsing } from './password-file-folders';
import { refusalToWrite } from './password-file-name';
import { PathError, projectFile, type ProjectFile } from './project-file';

/**
 * Resolves the path of a password file other than the administrators' file.
 * @throws Problem 422
 */
export async function resolvePasswordFile(configuration: Configuration, input: string): Promise<ProjectFile> {
  const file = await withPathProblems(input, () => allowedFile(configuration, input));
  if (!(await isOfAdministrators(configuration, file))) return file;
  const message = 'This is the file of the administrators. Edit it under Administrators.';
  throw invalid([{ pointer: '/file', message }]);
}

/**
 * Resolves the path of a password file that an adapter has, which may be any in the project but that of the
 * administrators.
 * @throws PathError
 */
export async function usedFile(configuration: Configuration, name: string): Promise<ProjectFile> {
  const file = await projectFile(configuration.root, name);
  if (await isOfAdministrators(configuration, file)) throw new PathError('is the file of the administrators');
  return file;
}

/**
 * Resolves the path of a password file to write.
 * @throws Problem 422
 */
export async function resolveWritableFile(configuration: Configuration, input: string): Promise<ProjectFile> {
  const file = await resolvePasswordFile(configuration, input);
  const isUsed = (await adaptersUsing(configuration, file)).length > 0;
  const refusal = refusalToWrite(file.path, isUsed) ?? linkRefusal(configuration, file, isUsed);
  if (refusal === undefined) return file;
  throw invalid([{ pointer: '/file', message: `${file.path} ${refusal}.` }]);
}

/** Runs a file operation and converts a PathError to an error of the field `file`. */
export async function withPathProblems<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    throw invalid([{ pointer: '/file', message: `${file === '' ? 'This' : file} ${error.message}.` }]);
  }
}

function linkRefusal({ root }: Configuration, { real }: ProjectFile, isUsed: boolean): string | undefined {
  const refusal = refusalToWrite(path.relative(root, real).split(path.sep).join('/'), isUsed);
  return refusal === undefined ? undefined : `is a symbolic link to a file that ${refusal}`;
}

async function isOfAdministrators(configuration: Configuration, { real }: ProjectFile): Promise<boolean> {
  const own = configuration.valueAt(['platform-admin', 'administrators']);
  if (typeof own !== 'string') return false;
  try {
    return (await projectFile(configuration.root, own)).real === real;
  } catch {
    return false;
  }
}
