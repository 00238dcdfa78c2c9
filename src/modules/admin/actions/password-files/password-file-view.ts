import { problem, type Configuration } from '../../../../framework';
import { findUnrecognizedLine } from '../../../mvc-auth';
import { invalid } from '../../changes/field-errors';
import { listUsers, type ListedFile } from './listed-users';
import { fileUses, detectKind, type FileUse, type PasswordFileKind } from './password-file-kind';
import { isSample, refusalToWrite } from './password-file-name';
import { adaptersUsing } from './password-file-folders';
import { withFileErrors, placeOf } from './resolve-password-file';
import { PathError, projectFile } from './project-file';
import { readTextFile } from './read-text-file';

/** A password file for display. */
export interface PasswordFileView extends ListedFile {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly kind: PasswordFileKind;
  /** The adapters that use it. */
  readonly adapters: readonly FileUse[];
  /** Whether its passwords are published with the platform. */
  readonly isSample: boolean;
  /** Why its users cannot be changed, as the end of a sentence. */
  readonly refusal: string | undefined;
}

/** A password file in the list of files that adapters use. */
export interface PasswordFileEntry {
  /** Relative to the project root; as configured if outside. */
  readonly path: string;
  readonly kind: PasswordFileKind;
  readonly adapters: readonly string[];
  readonly users: number;
  readonly isSample: boolean;
  /** Whether the file exists. */
  readonly exists: boolean;
  /** Why it cannot be opened, as the end of a sentence. */
  readonly refusal: string | undefined;
}

/**
 * @param meant the format of an empty file that no adapter uses
 * @throws Problem 404 if the file does not exist, 422 if it is not a password file of the project
 */
export async function readPasswordFile(
  configuration: Configuration,
  typed: string,
  meant?: PasswordFileKind,
): Promise<PasswordFileView> {
  const place = await placeOf(configuration, typed);
  const text = await withFileErrors(place.path, () => readTextFile(place));
  if (text === undefined) {
    const names = (await listPasswordFiles(configuration)).map((entry) => entry.path);
    throw problem('name_not_found', { kind: 'password file', name: place.path, names });
  }
  const adapters = await adaptersUsing(configuration, place);
  const kind = adapters[0]?.kind ?? detectKind(place.path, text, meant);
  if (kind === undefined) {
    const message = describeInvalidFile(place.path, text, meant ?? 'htpasswd');
    throw invalid([{ pointer: '/file', message }]);
  }
  return {
    path: place.path,
    kind,
    adapters,
    isSample: isSample(place.path),
    refusal: refusalToWrite(place.path, adapters.length > 0),
    ...listUsers(kind, place.path, text),
  };
}

/** Describes why a text is not a password file, without revealing its content. */
export function describeInvalidFile(file: string, text: string, kind: PasswordFileKind): string {
  const lines = kind === 'htpasswd' ? 'user:hash' : 'user:realm:hash';
  return `${file} is not a password file: line ${findUnrecognizedLine(kind, text) ?? 1} does not have the form ${lines}. To use a file with plain-text passwords, add it to config/autoload/local.json by hand.`;
}

/** Lists the files that adapters use, in the order of the configuration. */
export async function listPasswordFiles(configuration: Configuration): Promise<readonly PasswordFileEntry[]> {
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
    if (error instanceof PathError) return { ...nothing, path, refusal: error.message };
    throw error;
  }
}
