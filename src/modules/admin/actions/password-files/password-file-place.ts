import path from 'node:path';
import type { Configuration } from '../../../../framework';
import { invalid } from '../invalid';
import { fileUses, type FileUse } from './password-file-kind';
import { refusalToWrite } from './password-file-name';
import { PathRefusal, projectFile, type ProjectFile } from './project-file';

/**
 * The file that somebody means, which is not that of the administrators.
 * @throws Problem 422
 */
export async function placeOf(configuration: Configuration, typed: string): Promise<ProjectFile> {
  const { root } = configuration;
  const place = await atFile(typed, () => projectFile(root, typed));
  const own = configuration.valueAt(['platform-admin', 'administrators']);
  if (typeof own !== 'string' || !(await isSame(root, own, place))) return place;
  const message = 'This is the file of the administrators: change it under Administrators.';
  throw invalid([{ pointer: '/file', message }]);
}

/**
 * The same, for one that is written.
 * @throws Problem 422
 */
export async function writablePlace(configuration: Configuration, typed: string): Promise<ProjectFile> {
  const place = await placeOf(configuration, typed);
  const refusal = refusalToWrite(place.path) ?? refusalBehindLinks(configuration, place);
  if (refusal === undefined) return place;
  throw invalid([{ pointer: '/file', message: `${place.path} ${refusal}.` }]);
}

/** The adapters that name a file. */
export async function usesOf(configuration: Configuration, place: ProjectFile): Promise<readonly FileUse[]> {
  const uses = fileUses(configuration);
  const same = await Promise.all(uses.map((use) => isSame(configuration.root, use.path, place)));
  return uses.filter((_, at) => same[at] === true);
}

/** Runs what looks at a file; what refuses its path is an error of the field `file`. */
export async function atFile<T>(file: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof PathRefusal)) throw error;
    throw invalid([{ pointer: '/file', message: `${file === '' ? 'This' : file} ${error.message}.` }]);
  }
}

function refusalBehindLinks({ root }: Configuration, { real }: ProjectFile): string | undefined {
  const refusal = refusalToWrite(path.relative(root, real).split(path.sep).join('/'));
  return refusal === undefined ? undefined : `is a symbolic link to a file that ${refusal}`;
}

async function isSame(root: string, written: string, { real }: ProjectFile): Promise<boolean> {
  try {
    return (await projectFile(root, written)).real === real;
  } catch {
    return false;
  }
}
