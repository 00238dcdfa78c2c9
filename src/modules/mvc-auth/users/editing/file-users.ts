import path from 'node:path';
import { FileError, readFileIfExists, withFileErrors } from '../../../../framework';
import type { FilePublisher } from '../../command-line/command-io';
import { changePasswordFile } from '../../password-files/editing/change-password-file';
import {
  digestSecrets,
  removeDigestUser,
  setDigestPassword,
} from '../../password-files/editing/digest-users';
import type { EditedFile } from '../../password-files/editing/edit-password-file';
import { assertFileKind } from '../../password-files/editing/file-kind';
import { setUserGroups } from '../../password-files/editing/group-members';
import { PasswordEditError } from '../../password-files/editing/password-edit-error';
import {
  passwordLine,
  removePasswordUser,
  setPasswordLine,
} from '../../password-files/editing/password-users';
import { readGroupTable } from '../../password-files/group-table';
import { checkBcryptPassword, checkName, checkPassword } from '../../password-files/names';
import { passwordLines } from '../../password-files/lines';
import { BCRYPT_COST } from '../../passwords/hashes/bcrypt-hash';
import type { EditableUsers } from './editable-users';

export interface FileUsersOptions {
  readonly root: string;
  readonly realm: string;
  /** As configured; undefined for schemes that the adapter does not accept. */
  readonly htpasswd: string | undefined;
  readonly htdigest: string | undefined;
  readonly htgroup: string | undefined;
  readonly publisherOf?: ((file: string) => Promise<FilePublisher | undefined>) | undefined;
}

/** The users of the password files of an adapter. */
export class FileUsers implements EditableUsers {
  readonly title: string;
  readonly #options: FileUsersOptions;

  constructor(options: FileUsersOptions) {
    this.#options = options;
    this.title = [options.htpasswd, options.htdigest].filter((file) => file !== undefined).join(' and ');
  }

  checkPassword(password: string): void {
    if (this.#options.htpasswd === undefined) checkPassword(password);
    else checkBcryptPassword(password);
  }

  async has(name: string): Promise<boolean> {
    const { htpasswd, htdigest, realm } = this.#options;
    const passwords = await this.#read(htpasswd);
    const digests = await this.#read(htdigest);
    return (
      passwordLines(passwords.toString('utf8')).some(({ text }) => text.startsWith(`${name}:`)) ||
      digestSecrets(digests, { username: name, realm }).size > 0
    );
  }

  async add(name: string, password: string, groups: readonly string[]): Promise<void> {
    checkName('user name', name);
    if (await this.has(name))
      throw new PasswordEditError(
        `The user "${name}" already exists in ${this.title}. To set another password, use "apidesc-platform user passwd".`,
      );
    // First, so that a user without the groups is never added.
    if (groups.length > 0) await this.#writeGroups(name, groups);
    await this.#set(name, password);
  }

  async setPassword(name: string, password: string): Promise<void> {
    await this.#assertKnown(name);
    await this.#set(name, password);
  }

  async disable(name: string): Promise<string> {
    await this.#assertKnown(name);
    const { htpasswd, htdigest, realm } = this.#options;
    await this.#edit(htpasswd, 'htpasswd', (bytes) => removePasswordUser(bytes, name));
    await this.#edit(htdigest, 'htdigest', (bytes) => removeDigestUser(bytes, { username: name, realm }));
    return `Removed the password of user "${name}" from ${this.title}, since password files have no disabled users. To enable the user, set a new one with "apidesc-platform user add".`;
  }

  enable(name: string): Promise<string> {
    return Promise.reject(
      new PasswordEditError(
        `Password files have no disabled users: set a new password for "${name}" with "apidesc-platform user add".`,
      ),
    );
  }

  async groupsOf(name: string): Promise<readonly string[]> {
    const text = (await this.#read(this.#groupFile())).toString('utf8');
    const groups = readGroupTable(text).groups.get(name);
    // A member without a password may get one again.
    if (groups === undefined) await this.#assertKnown(name);
    return groups ?? [];
  }

  async setGroups(name: string, groups: readonly string[]): Promise<void> {
    // Names that no file can hold are refused first.
    setUserGroups(this.#groupFile(), Buffer.alloc(0), name, groups);
    await this.groupsOf(name);
    await this.#writeGroups(name, groups);
  }

  async #writeGroups(name: string, groups: readonly string[]): Promise<void> {
    const file = this.#groupFile();
    await this.#change(file, (bytes) => setUserGroups(file, bytes, name, groups));
  }

  async #set(name: string, password: string): Promise<void> {
    this.checkPassword(password);
    const { htpasswd, htdigest, realm } = this.#options;
    const line = htpasswd === undefined ? '' : await passwordLine(name, password, BCRYPT_COST);
    await this.#edit(htpasswd, 'htpasswd', (bytes) => setPasswordLine(bytes, name, line));
    await this.#edit(htdigest, 'htdigest', (bytes) =>
      setDigestPassword(bytes, { username: name, realm }, password),
    );
  }

  async #edit(
    file: string | undefined,
    kind: 'htpasswd' | 'htdigest',
    edit: (bytes: Buffer) => EditedFile,
  ): Promise<void> {
    if (file === undefined) return;
    await this.#change(file, (bytes) => {
      assertFileKind(file, bytes, kind);
      return edit(bytes).bytes;
    });
  }

  async #change(file: string, edit: (bytes: Buffer) => Buffer): Promise<void> {
    const target = path.resolve(this.#options.root, file);
    await changePasswordFile(
      target,
      (bytes = Buffer.alloc(0)) => edit(bytes),
      await this.#options.publisherOf?.(target),
    );
  }

  async #read(file: string | undefined): Promise<Buffer> {
    if (file === undefined) return Buffer.alloc(0);
    const target = path.resolve(this.#options.root, file);
    try {
      return (await withFileErrors(target, () => readFileIfExists(target))) ?? Buffer.alloc(0);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      throw new PasswordEditError(error.message, { cause: error });
    }
  }

  async #assertKnown(name: string): Promise<void> {
    if (await this.has(name)) return;
    throw new PasswordEditError(
      `${this.title} has no user "${name}". Names are case-sensitive. Add the user with "apidesc-platform user add".`,
    );
  }

  #groupFile(): string {
    const { htgroup } = this.#options;
    if (htgroup !== undefined) return htgroup;
    throw new PasswordEditError(
      'The adapter has no group file. Set "htgroup" in its options, such as "data/groups".',
    );
  }
}
