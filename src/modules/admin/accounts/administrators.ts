import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../../framework';
import {
  BCRYPT_COST,
  changePasswordFile,
  describeProblems,
  HashingQueue,
  PasswordEditError,
  PasswordVerifier,
  passwordLine,
  readPasswordTable,
  removePasswordUser,
  setPasswordLine,
  VerifiedCredentials,
} from '../../mvc-auth';

type Table = ReturnType<typeof readPasswordTable>;

const NOBODY: Table = readPasswordTable('');

/**
 * The administrators, who stand in an htpasswd file of their own. The file is looked at whenever somebody asks,
 * so that what the command line or Apache's tools change counts at once, and it may be missing: then there are none.
 */
export class Administrators {
  readonly file: string;
  readonly #verified = new VerifiedCredentials();
  readonly #verifier = new PasswordVerifier(() => this.#table, new HashingQueue(), this.#verified);
  #table: Table = NOBODY;
  #mark = '';

  /** @param file absolute */
  constructor(file: string) {
    this.file = file;
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
   * Rejects with HashingOverloadError when too many passwords wait.
   */
  async verify(name: string, password: string): Promise<boolean> {
    await this.#read();
    return await this.#verifier.verify(name, password);
  }

  /**
   * What is wrong with the file, for the warnings of the start; nothing for one that is missing. Asked once, as it
   * reads the file.
   */
  async faults(): Promise<readonly string[]> {
    try {
      return describeProblems(this.file, readPasswordTable(await readFile(this.file, 'utf8')).problems);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      return [
        `${this.file} cannot be read (${code}): nobody can sign in to the admin. Let the service read it.`,
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
    await mkdir(path.dirname(this.file), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw new PasswordEditError(
        `The folder ${path.dirname(this.file)} cannot be made (${errorCode(error)}). Make it, and let the service write there.`,
        { cause: error },
      );
    });
    await changePasswordFile(this.file, (bytes = Buffer.alloc(0)) => {
      const { users } = readPasswordTable(bytes.toString('utf8'));
      if (only === 'first' && users.size > 0)
        throw new PasswordEditError('There is an administrator already.');
      if (only === 'new' && users.has(name))
        throw new PasswordEditError(`There is an administrator "${name}" already.`);
      if (only === 'known' && !users.has(name))
        throw new PasswordEditError(`There is no administrator "${name}" any more.`);
      return setPasswordLine(bytes, name, line).bytes;
    });
    this.#mark = '';
  }

  /** @throws PasswordEditError for the last one, who cannot go, or when the file cannot be written */
  async remove(name: string): Promise<void> {
    await changePasswordFile(this.file, (bytes = Buffer.alloc(0)) => {
      const { users } = readPasswordTable(bytes.toString('utf8'));
      if (!users.has(name)) throw new PasswordEditError(`There is no administrator "${name}" any more.`);
      if (users.size === 1)
        throw new PasswordEditError(`"${name}" is the last administrator. Add another one first.`);
      return removePasswordUser(bytes, name).bytes;
    });
    this.#mark = '';
  }

  /** Where the file cannot be read, what it said last holds. */
  async #read(): Promise<Table> {
    try {
      const { ino, size, mtimeNs, ctimeNs } = await stat(this.file, { bigint: true });
      const mark = [ino, size, mtimeNs, ctimeNs].join(' ');
      if (mark === this.#mark) return this.#table;
      this.#table = readPasswordTable(await readFile(this.file, 'utf8'));
      this.#mark = mark;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') this.#table = NOBODY;
      this.#mark = '';
    }
    return this.#table;
  }
}
