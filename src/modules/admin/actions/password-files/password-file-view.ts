import { problem, type Configuration } from '../../../../framework';
import { findUnrecognizedLine } from '../../../mvc-auth';
import { invalid } from '../../changes/field-errors';
import { listUsers, type ListedFile } from './listed-users';
import { fileUses, detectKind, type FileUse, type PasswordFileKind } from './password-file-kind';
import { isSample, refusalToWrite } from './password-file-name';
import { adaptersUsing } from './password-file-folders';
import { withPathProblems, resolvePasswordFile, usedFile } from './resolve-password-file';
import { PathError } from './project-file';
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
 * @param expected the format of an empty file that no adapter uses
 * @throws Problem 404 if the file does not exist, 422 if it is not a password file of the project
 */
export async function readPasswordFile(
  configuration: Configuration,
  name: string,
  expected?: PasswordFileKind,
): Promise<PasswordFileView> {
  const file = await resolvePasswordFile(configuration, name);
  const text = await withPathProblems(file.path, () => readTextFile(file));
  if (text === undefined) {
    const names = (await listPasswordFiles(configuration)).map((entry) => entry.path);
    throw problem('name_not_found', { kind: 'password file', name: file.path, names });
  }
  const adapters = await adaptersUsing(configuration, file);
  const kind = adapters[0]?.kind ?? detectKind(file.path, text, expected);
  if (kind === undefined) {
    const message = describeInvalidFile(file.path, text, expected ?? 'htpasswd');
    throw invalid([{ pointer: '/file', message }]);
  }
  return {
    path: file.path,
    kind,
    adapters,
    isSample: isSample(file.path),
    refusal: refusalToWrite(file.path, adapters.length > 0),
    ...listUsers(kind, file.path, text),
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

async function entryOf(configuration: Configuration, use: FileUse): Promise<PasswordFileEntry> {
  const { kind, path } = use;
  const nothing = { kind, adapters: [], users: 0, isSample: false, exists: false, refusal: undefined };
  try {
    const file = await usedFile(configuration, path);
    const text = await readTextFile(file);
    const { realms } = listUsers(kind, file.path, text ?? '');
    const users = realms.reduce((sum, realm) => sum + realm.users.length, 0);
    return {
      ...nothing,
      path: file.path,
      users,
      isSample: isSample(file.path),
      exists: text !== undefined,
    };
  } catch (error) {
    if (error instanceof PathError) return { ...nothing, path, refusal: error.message };
    throw error;
  }
}
