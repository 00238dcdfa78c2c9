import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { problem, writing, type Configuration, type Problem } from '../../../../framework';
import {
  BCRYPT_COST,
  changePasswordFile,
  passwordLine,
  removeDigestUser,
  removePasswordUser,
  setDigestPassword,
  setPasswordLine,
} from '../../../mvc-auth';
import type { Actor } from '../../changes/change';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { editing } from './password-edit';
import { writablePlace } from './password-file-place';
import {
  passwordFileEntries,
  passwordFileView,
  type PasswordFileEntry,
  type PasswordFileView,
} from './password-file-view';
import type { PasswordFileKind } from './password-file-kind';
import type { ProjectFile } from './project-file';

/** A user of a password file. */
export interface FileUser {
  readonly user: string;
  /** Of a digest file. */
  readonly realm?: string | undefined;
}

/**
 * The files of passwords below the project's root: by the same code and the same rules as `platform htpasswd` and
 * `platform htdigest`. Their users sign in with a new password as soon as it is written.
 *
 * Every method throws Problems: 404 for what is not there, 409 for what is there already or still needed, 422 for
 * what is wrong with a field (`/file`, `/user`, `/realm`, `/password`), 507 when a file cannot be written.
 */
export class PasswordFiles {
  readonly #changes: ConfigurationChanges;

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** The files that adapters name. */
  list(): Promise<readonly PasswordFileEntry[]> {
    return passwordFileEntries(this.#configuration);
  }

  /**
   * What a file says, but for the hashes.
   * @param meant the kind of a file without a line, where no adapter says
   */
  read(file: string, meant?: PasswordFileKind): Promise<PasswordFileView> {
    return passwordFileView(this.#configuration, file, meant);
  }

  /** Makes an empty file, and the folders that it is in. */
  async create(file: string, actor: Actor): Promise<ProjectFile> {
    const place = await writablePlace(this.#configuration, file);
    await editing(async () => {
      const folder = path.dirname(place.absolute);
      await writing(place.path, () => mkdir(folder, { recursive: true }));
      await changePasswordFile(place.absolute, (bytes) => {
        if (bytes === undefined) return Buffer.alloc(0);
        throw taken('file', '/file', place.path, 'Open it, or choose another name.');
      });
    });
    this.#tell(actor, place, undefined, 'Created a password file.');
    return place;
  }

  /** Adds a user, who is not there yet. */
  async addUser(file: string, user: FileUser, password: string, actor: Actor): Promise<void> {
    const place = await this.#set(file, user, password, (isThere) => {
      if (isThere) throw taken('user', '/user', user.user, 'Change the password instead.');
    });
    this.#tell(actor, place, user, 'Added a user to a password file.');
  }

  /** Sets the password of a user, who is there. */
  async setPassword(file: string, user: FileUser, password: string, actor: Actor): Promise<void> {
    const place = await this.#set(file, user, password, (isThere, view) => {
      if (!isThere) throw noUser(view, user);
    });
    this.#tell(actor, place, user, 'Set a password in a password file.');
  }

  /** Takes a user away; not the last one that an adapter of Digest needs to start. */
  async removeUser(file: string, user: FileUser, actor: Actor): Promise<void> {
    const place = await writablePlace(this.#configuration, file);
    const view = await this.read(file);
    assertDispensable(view, user);
    await editing(() =>
      changePasswordFile(place.absolute, (bytes = Buffer.alloc(0)) => {
        const edited =
          view.kind === 'htdigest'
            ? removeDigestUser(bytes, { username: user.user, realm: user.realm ?? '' })
            : removePasswordUser(bytes, user.user);
        if (edited.replaced === 0) throw noUser(view, user);
        return edited.bytes;
      }),
    );
    this.#tell(actor, place, user, 'Removed a user from a password file.');
  }

  async #set(
    file: string,
    { user, realm }: FileUser,
    password: string,
    judge: (isThere: boolean, view: PasswordFileView) => void,
  ): Promise<ProjectFile> {
    const place = await writablePlace(this.#configuration, file);
    const view = await this.read(file, realm === undefined ? 'htpasswd' : 'htdigest');
    await editing(async () => {
      // Hashing takes a while: before the file is locked.
      const line = view.kind === 'htpasswd' ? await passwordLine(user, password, BCRYPT_COST) : undefined;
      await changePasswordFile(place.absolute, (bytes = Buffer.alloc(0)) => {
        const edited =
          line === undefined
            ? setDigestPassword(bytes, { username: user, realm: realm ?? '' }, password)
            : setPasswordLine(bytes, user, line);
        judge(edited.replaced > 0, view);
        return edited.bytes;
      });
    });
    return place;
  }

  #tell(actor: Actor, { path: file }: ProjectFile, user: FileUser | undefined, message: string): void {
    const { name: by, via } = actor;
    this.#changes.running.log.info({ by, via, file, ...user }, message);
  }

  get #configuration(): Configuration {
    return this.#changes.configuration;
  }
}

/** An adapter of Digest does not start without a user. */
function assertDispensable({ kind, adapters, realms }: PasswordFileView, { user, realm }: FileUser): void {
  const needing = adapters.filter((use) => use.kind === 'htdigest' && use.realm === realm);
  const users = realms.find((one) => one.realm === realm)?.users ?? [];
  if (kind !== 'htdigest' || needing.length === 0 || users.length !== 1 || users[0]?.name !== user) return;
  throw problem('last_user', { user, adapters: needing.map(({ adapter }) => `"${adapter}"`) });
}

function taken(kind: string, pointer: string, name: string, advice: string): Problem {
  const message = `There is a ${kind} "${name}" already. ${advice}`;
  return problem('name_taken', { kind, name }, { extensions: { errors: [{ pointer, message }] } });
}

function noUser({ kind, realms }: PasswordFileView, { user, realm = '' }: FileUser): Problem {
  const own = realms.find((one) => one.realm === (kind === 'htdigest' ? realm : null));
  const what = kind === 'htdigest' ? `user of the realm "${realm}"` : 'user';
  return problem('name_not_found', {
    kind: what,
    name: user,
    names: own?.users.map(({ name }) => name) ?? [],
  });
}
