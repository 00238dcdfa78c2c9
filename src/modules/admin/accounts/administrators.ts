import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode, makeFolder, type MaybePromise, type SharedConfiguration } from '../../../framework';
import {
  BCRYPT_COST,
  describeLineIssues,
  PasswordEditError,
  type PasswordClient,
  PasswordHashing,
  type PasswordTable,
  PasswordTableStore,
  PasswordVerifier,
  passwordLine,
  readPasswordTable,
  removePasswordUser,
  setPasswordLine,
} from '../../mvc-auth';
import type { Actor } from '../changes/change';
import {
  applyUserEdit,
  basicSecrets,
  reviewUserEdit,
  type FileChange,
  type UserEdit,
} from '../changes/file-change';

const NO_USERS: PasswordTable = readPasswordTable('');

/**
 * The administrators in their htpasswd file. Every call reloads the file if it has changed, so that edits by the command
 * line or Apache's tools take effect immediately. A missing file contains no administrators.
 */
export class Administrators {
  readonly file: string;
  readonly #store = new PasswordTableStore();
  readonly #verifier: PasswordVerifier;
  readonly #onChange: (name: string) => MaybePromise<void>;
  readonly #publisher: Pick<SharedConfiguration, 'publish'> | undefined;
  #fileState = '';

  /**
   * @param file absolute
   * @param options `hashing`: the queue that verifies passwords, required only for {@link verify}; `publisher`: gives the
   *   file to other nodes; `onChange`: called when an administrator has another password, or was removed
   */
  constructor(
    file: string,
    {
      hashing = new PasswordHashing(),
      publisher,
      onChange = () => undefined,
    }: {
      readonly hashing?: PasswordHashing;
      readonly publisher?: Pick<SharedConfiguration, 'publish'> | undefined;
      readonly onChange?: (name: string) => MaybePromise<void>;
    } = {},
  ) {
    this.#onChange = onChange;
    this.file = file;
    this.#verifier = new PasswordVerifier(this.#store, hashing);
    this.#publisher = publisher;
  }

  /** Returns the names in the order of the file. */
  async names(): Promise<readonly string[]> {
    return [...(await this.#read()).users.keys()];
  }

  /** Returns the stored hash; it changes with the password, which ends sessions. */
  async credentialsOf(name: string): Promise<string | undefined> {
    return (await this.#read()).users.get(name)?.stored;
  }

  /**
   * Verifies a password. An unknown name takes as long as a known one. Rejects with an error that
   * `toVerificationProblem` converts if too many verifications are pending.
   */
  async verify(name: string, password: string, client: PasswordClient): Promise<boolean> {
    await this.#read();
    return await this.#verifier.verify(name, password, client);
  }

  /** Reads the file and returns the startup warnings about it; none if it does not exist. */
  async warnings(): Promise<readonly string[]> {
    try {
      return describeLineIssues(this.file, readPasswordTable(await readFile(this.file, 'utf8')).issues);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      return [
        `${this.file} cannot be read (${code}), so nobody can sign in to the admin. Grant the service read access.`,
      ];
    }
  }

  /** The verifier for HTTP schemes; {@link names} reloads its data. */
  get verifier(): PasswordVerifier {
    return this.#verifier;
  }

  /**
   * Adds an administrator or sets the password of one.
   * @param only `first`: only if there are no administrators; `new`: only if the name does not exist; `existing`: only
   * if it does
   * @param actor who makes the change, for the revisions of a deployment
   * @throws PasswordEditError for an invalid name or password; the change throws one if the file does not permit it or
   * cannot be written
   */
  async set(
    name: string,
    password: string,
    only?: 'first' | 'new' | 'existing',
    actor?: Actor,
  ): Promise<FileChange> {
    const line = await passwordLine(name, password, BCRYPT_COST);
    return this.#change(name, actor, (bytes) => {
      const { users } = readPasswordTable(bytes.toString('utf8'));
      if (only === 'first' && users.size > 0) throw new PasswordEditError('An administrator already exists.');
      if (only === 'new' && users.has(name))
        throw new PasswordEditError(`Administrator "${name}" already exists.`);
      if (only === 'existing' && !users.has(name))
        throw new PasswordEditError(`Administrator "${name}" no longer exists.`);
      return setPasswordLine(bytes, name, line);
    });
  }

  /** The change throws a PasswordEditError for the last administrator, or if the file cannot be written. */
  remove(name: string, actor?: Actor): FileChange {
    return this.#change(name, actor, (bytes) => {
      const { users } = readPasswordTable(bytes.toString('utf8'));
      if (!users.has(name)) throw new PasswordEditError(`Administrator "${name}" no longer exists.`);
      if (users.size === 1)
        throw new PasswordEditError(`"${name}" is the last administrator. Add another one first.`);
      return removePasswordUser(bytes, name);
    });
  }

  #change(name: string, actor: Actor | undefined, edit: UserEdit['edit']): FileChange {
    const own = { label: name, edit, secrets: (bytes: Buffer) => basicSecrets(bytes, name) };
    return {
      file: this.file,
      review: () => reviewUserEdit(this.file, own),
      apply: async (expect) => {
        await makeFolder(path.dirname(this.file), 0o700).catch((error: unknown) => {
          throw new PasswordEditError(
            `The folder ${path.dirname(this.file)} cannot be created (${systemErrorCode(error)}). Create it and grant the service write access.`,
            { cause: error },
          );
        });
        const author = { summary: `Changed the administrator "${name}".`, actor, publisher: this.#publisher };
        await applyUserEdit(this.file, own, author, expect);
        this.#fileState = '';
        await this.#onChange(name);
      },
    };
  }

  /** Reloads the file if it has changed. If it cannot be read, the last known content stays valid. */
  async #read(): Promise<PasswordTable> {
    try {
      const { ino, size, mtimeNs, ctimeNs } = await stat(this.file, { bigint: true });
      const fileState = [ino, size, mtimeNs, ctimeNs].join(' ');
      if (fileState === this.#fileState) return this.#store.table;
      this.#store.replace(readPasswordTable(await readFile(this.file, 'utf8')));
      this.#fileState = fileState;
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR')
        this.#store.replace(NO_USERS);
      this.#fileState = '';
    }
    return this.#store.table;
  }
}
