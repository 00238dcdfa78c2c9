import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode, makeFolder } from '../../../framework';
import {
  BCRYPT_COST,
  changePasswordFile,
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

const NO_USERS: PasswordTable = readPasswordTable('');

/**
 * The administrators, who stand in an htpasswd file of their own. The file is looked at whenever somebody asks,
 * so that what the command line or Apache's tools change counts at once, and it may be missing: then there are none.
 */
export class Administrators {
  readonly file: string;
  readonly #store = new PasswordTableStore();
  readonly #verifier: PasswordVerifier;
  #mark = '';

  /**
   * @param file absolute
   * @param hashing where their passwords wait to be verified; needed by who verifies some
   */
  constructor(file: string, hashing = new PasswordHashing()) {
    this.file = file;
    this.#verifier = new PasswordVerifier(this.#store, hashing);
  }

  /** Their names, in the order of the file. */
  async names(): Promise<readonly string[]> {
    return [...(await this.#read()).users.keys()];
  }

  /** What proves that an administrator is the one who signed in: another password makes it another. */
  async credentialsOf(name: string): Promise<string | undefined> {
    return (await this.#read()).users.get(name)?.stored;
  }

  /**
   * Whether the password is the administrator's; an unknown one costs what a known one does.
   * Rejects with what `toVerificationProblem` explains when too many passwords wait.
   */
  async verify(name: string, password: string, client: PasswordClient): Promise<boolean> {
    await this.#read();
    return await this.#verifier.verify(name, password, client);
  }

  /**
   * What is wrong with the file, for the warnings of the start; nothing for one that is missing. Asked once, as it
   * reads the file.
   */
  async faults(): Promise<readonly string[]> {
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

  /** The verifier, for schemes of HTTP; what it knows is as fresh as the last {@link names}. */
  get verifier(): PasswordVerifier {
    return this.#verifier;
  }

  /**
   * Sets the password of an administrator, perhaps a new one.
   * @param only `first`: while there is none; `new`: who is none yet; `known`: who is one already
   * @throws PasswordEditError for a name or password that is refused, or when the file cannot be written
   */
  async set(name: string, password: string, only?: 'first' | 'new' | 'known'): Promise<void> {
    const line = await passwordLine(name, password, BCRYPT_COST);
    await makeFolder(path.dirname(this.file), 0o700).catch((error: unknown) => {
      throw new PasswordEditError(
        `The folder ${path.dirname(this.file)} cannot be created (${systemErrorCode(error)}). Create it and grant the service write access.`,
        { cause: error },
      );
    });
    await changePasswordFile(this.file, (bytes = Buffer.alloc(0)) => {
      const { users } = readPasswordTable(bytes.toString('utf8'));
      if (only === 'first' && users.size > 0) throw new PasswordEditError('An administrator already exists.');
      if (only === 'new' && users.has(name))
        throw new PasswordEditError(`Administrator "${name}" already exists.`);
      if (only === 'known' && !users.has(name))
        throw new PasswordEditError(`Administrator "${name}" no longer exists.`);
      return setPasswordLine(bytes, name, line).bytes;
    });
    this.#mark = '';
  }

  /** @throws PasswordEditError for the last one, who cannot go, or when the file cannot be written */
  async remove(name: string): Promise<void> {
    await changePasswordFile(this.file, (bytes = Buffer.alloc(0)) => {
      const { users } = readPasswordTable(bytes.toString('utf8'));
      if (!users.has(name)) throw new PasswordEditError(`Administrator "${name}" no longer exists.`);
      if (users.size === 1)
        throw new PasswordEditError(`"${name}" is the last administrator. Add another one first.`);
      return removePasswordUser(bytes, name).bytes;
    });
    this.#mark = '';
  }

  /** Where the file cannot be read, what it said last holds. */
  async #read(): Promise<PasswordTable> {
    try {
      const { ino, size, mtimeNs, ctimeNs } = await stat(this.file, { bigint: true });
      const mark = [ino, size, mtimeNs, ctimeNs].join(' ');
      if (mark === this.#mark) return this.#store.table;
      this.#store.replace(readPasswordTable(await readFile(this.file, 'utf8')));
      this.#mark = mark;
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR')
        this.#store.replace(NO_USERS);
      this.#mark = '';
    }
    return this.#store.table;
  }
}
