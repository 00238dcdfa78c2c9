import path from 'node:path';
import { makeFolder, problem, withFileErrors, type Configuration, type Problem } from '../../../../framework';
import {
  BCRYPT_COST,
  changePasswordFile,
  describeLostAlgorithms,
  DIGEST_ALGORITHMS,
  digestAlgorithmsFor,
  passwordLine,
  removeDigestUser,
  removePasswordUser,
  replaceDigestUser,
  setDigestPassword,
  setPasswordLine,
  type DigestAlgorithm,
} from '../../../mvc-auth';
import type { Actor } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { invalid } from '../../changes/field-errors';
import { withEditProblems } from './edit-problems';
import { readTextFile } from './read-text-file';
import { resolvePasswordFile, resolveWritableFile } from './resolve-password-file';
import {
  listPasswordFiles,
  readPasswordFile,
  type PasswordFileEntry,
  type PasswordFileView,
} from './password-file-view';
import type { PasswordFileKind } from './password-file-kind';
import type { ProjectFile } from './project-file';

/** A user of a password file. */
export interface FileUser {
  readonly user: string;
  /** Digest files only. */
  readonly realm?: string | undefined;
}

/** A new password. */
export interface NewPassword {
  readonly password: string;
  /** Digest files only: the algorithms that the user is to have; by default those that the realm should offer. */
  readonly algorithms?: readonly string[] | undefined;
}

/**
 * Edits the password files of the project with the code and rules of `apidesc-platform htpasswd` and `htdigest`.
 * New passwords are valid as soon as they are written.
 *
 * Every method throws Problems: 404 for a missing file or user, 409 for one that already exists or is still needed,
 * 422 for an invalid field (`/file`, `/user`, `/realm`, `/password`), 507 if a file cannot be written.
 */
export class PasswordFiles {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** Lists the files that adapters use. */
  list(): Promise<readonly PasswordFileEntry[]> {
    return listPasswordFiles(this.#configuration);
  }

  /**
   * Reads a file without the hashes.
   * @param expected the format of an empty file that no adapter uses
   */
  read(file: string, expected?: PasswordFileKind): Promise<PasswordFileView> {
    return readPasswordFile(this.#configuration, file, expected);
  }

  /** Creates an empty file and its folders. */
  async create(file: string, actor: Actor): Promise<ProjectFile> {
    const place = await resolveWritableFile(this.#configuration, file);
    await withEditProblems(async () => {
      const folder = path.dirname(place.absolute);
      await withFileErrors(place.path, () => makeFolder(folder));
      await changePasswordFile(place.absolute, (bytes) => {
        if (bytes === undefined) return Buffer.alloc(0);
        throw alreadyExists('file', '/file', place.path, 'Open it or choose another name.');
      });
    });
    this.#notifyChanged(actor, place, undefined, 'Created a password file.');
    return place;
  }

  /** The algorithms that a user of a Digest file should have. */
  async algorithmsFor(file: string, { user, realm = '' }: FileUser): Promise<readonly DigestAlgorithm[]> {
    const text = await readTextFile(await resolvePasswordFile(this.#configuration, file));
    return digestAlgorithmsFor(Buffer.from(text ?? ''), { username: user, realm });
  }

  /** Adds a new user. @returns a warning about algorithms that are no longer offered */
  async addUser(
    file: string,
    user: FileUser,
    password: NewPassword,
    actor: Actor,
  ): Promise<string | undefined> {
    const { place, warning } = await this.#set(file, user, password, (exists) => {
      if (exists) throw alreadyExists('user', '/user', user.user, 'Change password instead.');
    });
    this.#notifyChanged(actor, place, user, 'Added a user to a password file.');
    return warning;
  }

  /** Sets the password of an existing user. @returns a warning about algorithms that are no longer offered */
  async setPassword(
    file: string,
    user: FileUser,
    password: NewPassword,
    actor: Actor,
  ): Promise<string | undefined> {
    const { place, warning } = await this.#set(file, user, password, (exists, view) => {
      if (!exists) throw userNotFound(view, user);
    });
    this.#notifyChanged(actor, place, user, 'Set a password in a password file.');
    return warning;
  }

  /** Removes a user, except the last one that a Digest adapter requires. */
  async removeUser(file: string, user: FileUser, actor: Actor): Promise<void> {
    const place = await resolveWritableFile(this.#configuration, file);
    const view = await this.read(file);
    assertNotLastUser(view, user);
    await withEditProblems(() =>
      changePasswordFile(place.absolute, (bytes = Buffer.alloc(0)) => {
        const edited =
          view.kind === 'htdigest'
            ? removeDigestUser(bytes, { username: user.user, realm: user.realm ?? '' })
            : removePasswordUser(bytes, user.user);
        if (edited.replaced === 0) throw userNotFound(view, user);
        return edited.bytes;
      }),
    );
    this.#notifyChanged(actor, place, user, 'Removed a user from a password file.');
  }

  async #set(
    file: string,
    fileUser: FileUser,
    { password, algorithms }: NewPassword,
    assertPossible: (exists: boolean, view: PasswordFileView) => void,
  ): Promise<{ readonly place: ProjectFile; readonly warning: string | undefined }> {
    const place = await resolveWritableFile(this.#configuration, file);
    const view = await this.read(file, fileUser.realm === undefined ? 'htpasswd' : 'htdigest');
    const chosen = algorithms === undefined ? undefined : knownAlgorithms(algorithms);
    const { user, realm = '' } = fileUser;
    const own = { username: user, realm };
    let warning: string | undefined;
    await withEditProblems(async () => {
      // Hashing is slow: done before the file is locked.
      const line = view.kind === 'htpasswd' ? await passwordLine(user, password, BCRYPT_COST) : undefined;
      await changePasswordFile(place.absolute, (bytes = Buffer.alloc(0)) => {
        const edited =
          line !== undefined
            ? setPasswordLine(bytes, user, line)
            : chosen === undefined
              ? setDigestPassword(bytes, own, password)
              : replaceDigestUser(bytes, own, password, chosen);
        assertPossible(edited.replaced > 0, view);
        if (line === undefined) warning = describeLostAlgorithms(bytes, edited, realm, 'set');
        return edited.bytes;
      });
    });
    return { place, warning };
  }

  #notifyChanged(
    actor: Actor,
    { path: file }: ProjectFile,
    user: FileUser | undefined,
    message: string,
  ): void {
    this.#changes.running.observers.notify('changed', { actor, summary: message, file, ...user });
  }

  get #configuration(): Configuration {
    return this.#changes.configuration;
  }
}

/** @throws Problem 422 for an unknown algorithm, or none */
function knownAlgorithms(names: readonly string[]): readonly DigestAlgorithm[] {
  const algorithms = DIGEST_ALGORITHMS.filter((algorithm) => names.includes(algorithm));
  if (algorithms.length > 0 && algorithms.length === new Set(names).size) return algorithms;
  const message = `Choose at least one algorithm. Available: ${DIGEST_ALGORITHMS.join(', ')}.`;
  throw invalid([{ pointer: '/algorithms', message }]);
}

/** Digest adapters require at least one user to start. */
function assertNotLastUser({ kind, adapters, realms }: PasswordFileView, { user, realm }: FileUser): void {
  const dependents = adapters.filter((use) => use.kind === 'htdigest' && use.realm === realm);
  const users = realms.find((one) => one.realm === realm)?.users ?? [];
  if (kind !== 'htdigest' || dependents.length === 0 || users.length !== 1 || users[0]?.name !== user) return;
  throw problem('last_user', { user, adapters: dependents.map(({ adapter }) => `"${adapter}"`) });
}

function alreadyExists(kind: string, pointer: string, name: string, advice: string): Problem {
  const message = `The ${kind} "${name}" already exists. ${advice}`;
  return problem('name_taken', { kind, name }, { extensions: { errors: [{ pointer, message }] } });
}

function userNotFound({ kind, realms }: PasswordFileView, { user, realm = '' }: FileUser): Problem {
  const own = realms.find((one) => one.realm === (kind === 'htdigest' ? realm : null));
  const what = kind === 'htdigest' ? `user of the realm "${realm}"` : 'user';
  return problem('name_not_found', {
    kind: what,
    name: user,
    names: own?.users.map(({ name }) => name) ?? [],
  });
}
