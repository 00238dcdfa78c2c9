import path from 'node:path';
import { makeFolder, problem, withFileErrors, type Configuration } from '../../../../framework';
import { changePasswordFile, digestAlgorithmsFor, type DigestAlgorithm } from '../../../mvc-auth';
import type { Actor } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { AuditLog } from '../../audit/audit-log';
import {
  applyUserEdit,
  auditedChange,
  publication,
  reviewUserEdit,
  type FileChange,
  type UserEdit,
} from '../../changes/file-change';
import { withEditProblems } from './edit-problems';
import { listUsers } from './listed-users';
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
import { alreadyExists, passwordEdit, removal, type FileUser, type NewPassword } from './user-edits';

export type { FileUser, NewPassword } from './user-edits';

/**
 * Edits the password files of the project with the code and rules of `apidesc-platform htpasswd` and `htdigest`.
 * New passwords are valid as soon as they are written.
 *
 * Every method, also those of the changes, throws Problems: 404 for a missing file or user, 409 for one that already
 * exists or is still needed, 422 for an invalid field (`/file`, `/user`, `/realm`, `/password`), 507 if a file cannot be
 * written.
 */
export class PasswordFiles {
  readonly #changes: ConfigurationChanges;
  readonly #audit: AuditLog;

  constructor(changes: ConfigurationChanges, audit = AuditLog.none()) {
    this.#changes = changes;
    this.#audit = audit;
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

  /** The algorithms that a user of a Digest file should have. */
  async algorithmsFor(file: string, { user, realm = '' }: FileUser): Promise<readonly DigestAlgorithm[]> {
    const text = await readTextFile(await resolvePasswordFile(this.#configuration, file));
    return digestAlgorithmsFor(Buffer.from(text ?? ''), { username: user, realm });
  }

  /** Creates an empty file and its folders. */
  async create(file: string, actor: Actor): Promise<FileChange> {
    const place = await resolveWritableFile(this.#configuration, file);
    const taken = (): Error => alreadyExists('file', '/file', place.path, 'Open it or choose another name.');
    const summary = 'Created a password file.';
    return this.#audited(place, undefined, summary, actor, {
      file: place.path,
      review: async () => {
        if ((await readTextFile(place)) !== undefined) throw taken();
        return { difference: [{ path: place.path, after: 'an empty file' }], warnings: [], tag: '' };
      },
      apply: async () => {
        await withEditProblems(async () => {
          const folder = path.dirname(place.absolute);
          await withFileErrors(place.path, () => makeFolder(folder));
          await changePasswordFile(
            place.absolute,
            (bytes) => {
              if (bytes === undefined) return Buffer.alloc(0);
              throw taken();
            },
            publication(place.absolute, { actor, summary, publisher: this.#changes.publisher }),
          );
        });
        this.#notifyChanged(actor, place, undefined, summary);
      },
    });
  }

  /** Adds a new user. */
  addUser(file: string, user: FileUser, password: NewPassword, actor: Actor): Promise<FileChange> {
    return this.#setPassword(file, user, { ...password, of: 'new' }, actor);
  }

  /** Sets the password of an existing user. */
  setPassword(file: string, user: FileUser, password: NewPassword, actor: Actor): Promise<FileChange> {
    return this.#setPassword(file, user, { ...password, of: 'existing' }, actor);
  }

  /** Removes a user, except the last one that a Digest adapter requires. */
  async removeUser(file: string, user: FileUser, actor: Actor): Promise<FileChange> {
    const { place, view } = await this.#writable(file);
    const own = removal(view, user);
    const edit: UserEdit['edit'] = (bytes) => {
      assertNotLastUser({ ...view, ...listUsers(view.kind, place.path, bytes.toString('utf8')) }, user);
      return own.edit(bytes);
    };
    const summary = 'Removed a user from a password file.';
    return this.#change(place, { user, edit: { ...own, edit }, summary, actor });
  }

  async #setPassword(
    file: string,
    user: FileUser,
    { password, algorithms, of }: NewPassword & { readonly of: 'new' | 'existing' },
    actor: Actor,
  ): Promise<FileChange> {
    const { place, view } = await this.#writable(file, user);
    const chosen =
      algorithms ?? (view.kind === 'htdigest' ? await this.algorithmsFor(file, user) : undefined);
    // Hashing is slow: done before the file is locked.
    const edit = await withEditProblems(() => passwordEdit(view, user, { password, algorithms: chosen }, of));
    const summary = of === 'new' ? 'Added a user to a password file.' : 'Set a password in a password file.';
    return this.#change(place, { user, edit, summary, actor });
  }

  /** @param user of a file without lines, which has the format for this user */
  async #writable(
    file: string,
    user?: FileUser,
  ): Promise<{ readonly place: ProjectFile; readonly view: PasswordFileView }> {
    const place = await resolveWritableFile(this.#configuration, file);
    const expected = user && (user.realm === undefined ? 'htpasswd' : 'htdigest');
    return { place, view: await this.read(file, expected) };
  }

  #change(
    place: ProjectFile,
    change: {
      readonly user: FileUser;
      readonly edit: UserEdit;
      readonly summary: string;
      readonly actor: Actor;
    },
  ): FileChange {
    const { user, edit, summary, actor } = change;
    return this.#audited(place, user, summary, actor, {
      file: place.path,
      review: () => withEditProblems(() => reviewUserEdit(place.absolute, edit)),
      apply: async (expect) => {
        const author = { actor, summary, publisher: this.#changes.publisher };
        await withEditProblems(() => applyUserEdit(place.absolute, edit, author, expect));
        this.#notifyChanged(actor, place, user, summary);
      },
    });
  }

  #audited(
    { path: file }: ProjectFile,
    user: FileUser | undefined,
    summary: string,
    actor: Actor,
    change: FileChange,
  ): FileChange {
    const target = user === undefined ? file : `${file}: ${user.user}`;
    return auditedChange(this.#audit, { action: 'password_file_change', actor, target, summary }, change);
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

/** Digest adapters require at least one user to start. */
function assertNotLastUser({ kind, adapters, realms }: PasswordFileView, { user, realm }: FileUser): void {
  const dependents = adapters.filter((use) => use.kind === 'htdigest' && use.realm === realm);
  const users = realms.find((one) => one.realm === realm)?.users ?? [];
  if (kind !== 'htdigest' || dependents.length === 0 || users.length !== 1 || users[0]?.name !== user) return;
  throw problem('last_user', { user, adapters: dependents.map(({ adapter }) => `"${adapter}"`) });
}
