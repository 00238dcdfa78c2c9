import { problem, type Configuration } from '../../../../framework';
import { invalid } from '../invalid';
import { listUsers, type ListedFile } from './listed-users';
import { fileUses, kindOfText, type FileUse, type PasswordFileKind } from './password-file-kind';
import { isSample, refusalToWrite } from './password-file-name';
import { atFile, placeOf, usesOf } from './password-file-place';
import { PathRefusal, projectFile } from './project-file';
import { readTextFile } from './read-text-file';

/** A password file as people look at it. */
export interface PasswordFileView extends ListedFile {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly kind: PasswordFileKind;
  /** The adapters that name it. */
  readonly adapters: readonly FileUse[];
  /** Whether its passwords are published with the platform. */
  readonly isSample: boolean;
  /** Why its users are not changed here, as the end of a sentence. */
  readonly refusal: string | undefined;
}

/** A password file that an adapter names, in the list of them. */
export interface PasswordFileEntry {
  /** From the project's root; as it is written where it is outside. */
  readonly path: string;
  readonly kind: PasswordFileKind;
  readonly adapters: readonly string[];
  readonly users: number;
  readonly isSample: boolean;
  /** Whether there is such a file. */
  readonly exists: boolean;
  /** Why it cannot be opened, as the end of a sentence. */
  readonly refusal: string | undefined;
}

/**
 * @param meant the kind of a file without a line, where no adapter says
 * @throws Problem 404 where there is no such file, 422 where it is no password file of the project
 */
export async function passwordFileView(
  configuration: Configuration,
  typed: string,
  meant?: PasswordFileKind,
): Promise<PasswordFileView> {
  const place = await placeOf(configuration, typed);
  const text = await atFile(place.path, () => readTextFile(place));
  if (text === undefined) {
    const names = (await passwordFileEntries(configuration)).map((entry) => entry.path);
    throw problem('name_not_found', { kind: 'password file', name: place.path, names });
  }
  const adapters = await usesOf(configuration, place);
  const kind = adapters[0]?.kind ?? kindOfText(place.path, text, meant);
  if (kind === undefined) {
    const message = `${place.path} is no password file: none of its lines has a user and a hash.`;
    throw invalid([{ pointer: '/file', message }]);
  }
  return {
    path: place.path,
    kind,
    adapters,
    isSample: isSample(place.path),
    refusal: refusalToWrite(place.path),
    ...listUsers(kind, place.path, text),
  };
}

/** The files that adapters name, in the order of the configuration. */
export async function passwordFileEntries(
  configuration: Configuration,
): Promise<readonly PasswordFileEntry[]> {
  const entries = new Map<string, PasswordFileEntry>();
  for (const use of fileUses(configuration)) {
    const entry = await entryOf(configuration, use);
    const { adapters } = entries.get(entry.path) ?? { adapters: [] };
    entries.set(entry.path, { ...entry, adapters: [...adapters, use.adapter] });
  }
  return [...entries.values()];
}

async function entryOf({ root }: Configuration, use: FileUse): Promise<PasswordFileEntry> {
  const { kind, path } = use;
  const nothing = { kind, adapters: [], users: 0, isSample: false, exists: false, refusal: undefined };
  try {
    const place = await projectFile(root, path);
    const text = await readTextFile(place);
    const { realms } = listUsers(kind, place.path, text ?? '');
    const users = realms.reduce((sum, realm) => sum + realm.users.length, 0);
    return {
      ...nothing,
      path: place.path,
      users,
      isSample: isSample(place.path),
      exists: text !== undefined,
    };
  } catch (error) {
    if (error instanceof PathRefusal) return { ...nothing, path, refusal: error.message };
    throw error;
  }
}
