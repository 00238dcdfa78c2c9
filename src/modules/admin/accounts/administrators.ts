import { systemErrorCode, type MaybePromise, type SharedConfiguration } from '../../../framework';
import {
  BCRYPT_COST,
  describeLineIssues,
  PasswordEditError,
  PasswordHashing,
  passwordLine,
  readPasswordTable,
  removePasswordUser,
  setPasswordLine,
  type PasswordClient,
  type PasswordVerifier,
} from '../../mvc-auth';
import { withEditProblems } from '../actions/password-files/edit-problems';
import type { Actor } from '../changes/change';
import { inOrder, type FileChange } from '../changes/file-change';
import { accountFileOf, roleIn, type AccountTable, type SecondFactor } from './files/account-details';
import { AccountFile, type DetailsEdit } from './files/account-file';
import { AccountPasswords, type PasswordEdit } from './files/account-passwords';
import type { AdminRole } from './roles';

/** An administrator for display. */
export interface ListedAdministrator {
  readonly name: string;
  readonly role: AdminRole;
  readonly hasSecondFactor: boolean;
}

/** A change of a password. */
export interface PasswordChange extends FileChange {
  /** The hash that it stores. */
  readonly credentials: string;
}

/**
 * The administrators in their htpasswd file, and their roles and second factors in another one. Every call reloads a file
 * that has changed, so that edits by the command line or Apache's tools take effect immediately. A missing file contains
 * no administrators.
 */
export class Administrators {
  readonly #passwords: AccountPasswords;
  readonly #accounts: AccountFile;

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
    this.#passwords = new AccountPasswords(file, { hashing, publisher, onChange });
    this.#accounts = new AccountFile(accountFileOf(file), publisher);
  }

  get file(): string {
    return this.#passwords.path;
  }

  /** Returns the names in the order of the file. */
  async names(): Promise<readonly string[]> {
    return [...(await this.#passwords.table()).users.keys()];
  }

  /** Returns all of them. @throws Problem 503 if the roles cannot be read */
  async list(): Promise<readonly ListedAdministrator[]> {
    const [names, accounts] = [await this.names(), await this.#accounts.read()];
    return names.map((name) => {
      const hasSecondFactor = accounts?.get(name)?.second_factor !== undefined;
      return { name, role: roleIn(accounts, name), hasSecondFactor };
    });
  }

  /** Returns the role of an administrator: the least one for an unknown name. @throws Problem 503 if it cannot be read */
  async roleOf(name: string): Promise<AdminRole> {
    const accounts = await this.#accounts.read();
    return (await this.#passwords.table()).users.has(name) ? roleIn(accounts, name) : 'viewer';
  }

  /** @throws Problem 503 if the second factors cannot be read */
  async secondFactorOf(name: string): Promise<SecondFactor | undefined> {
    return (await this.#accounts.read())?.get(name)?.second_factor;
  }

  /** Returns the stored hash; it changes with the password, which ends sessions. */
  async credentialsOf(name: string): Promise<string | undefined> {
    return (await this.#passwords.table()).users.get(name)?.stored;
  }

  /**
   * Verifies a password. An unknown name takes as long as a known one. Rejects with an error that
   * `toVerificationProblem` converts if too many verifications are pending.
   *
   * @returns the stored hash that the password matches, which is what sessions are bound to; undefined for a wrong password,
   *   and for one that was replaced while it was verified
   */
  async verify(name: string, password: string, client: PasswordClient): Promise<string | undefined> {
    await this.#passwords.table();
    const matching = await this.#passwords.verifier.matching(name, password, client);
    return matching !== undefined && (await this.credentialsOf(name)) === matching ? matching : undefined;
  }

  /** Reads the file and returns the startup warnings about it; none if it does not exist. */
  async warnings(): Promise<readonly string[]> {
    try {
      const { issues } = await this.#passwords.read();
      return [
        ...describeLineIssues(this.file, issues),
        ...(await this.#accounts.warnings(await this.names())),
      ];
    } catch (error) {
      return [
        `${this.file} cannot be read (${systemErrorCode(error)}), so nobody can sign in to the admin. Grant the service read access.`,
      ];
    }
  }

  /** The verifier for HTTP schemes; {@link names} reloads its data. */
  get verifier(): PasswordVerifier {
    return this.#passwords.verifier;
  }

  /**
   * Adds an administrator or sets the password of one.
   * @param only `first`: only if there are no administrators; `new`: only if the name does not exist; `existing`: only
   * if it does
   * @param options `actor`: who makes the change, for the revisions of a deployment; `role`: of a new administrator,
   * defaults to the least one, and to full permissions for the first
   * @throws PasswordEditError for an invalid name or password; the change throws one if the file does not permit it or
   * cannot be written
   */
  async set(
    name: string,
    password: string,
    only?: 'first' | 'new' | 'existing',
    {
      actor,
      role = only === 'first' ? 'administrator' : 'viewer',
    }: { readonly actor?: Actor | undefined; readonly role?: AdminRole } = {},
  ): Promise<PasswordChange> {
    const line = await passwordLine(name, password, BCRYPT_COST);
    const credentials = line.slice(name.length + 1);
    const edit: PasswordEdit = (bytes) => {
      const { users } = readPasswordTable(bytes.toString('utf8'));
      if (only === 'first' && users.size > 0) throw new PasswordEditError('An administrator already exists.');
      if (only === 'new' && users.has(name))
        throw new PasswordEditError(`Administrator "${name}" already exists.`);
      if (only === 'existing') assertExists(users, name);
      return setPasswordLine(bytes, name, line);
    };
    const isNew = only === 'new' || only === 'first';
    const hasRole = isNew && (role !== 'administrator' || (await this.#accounts.read()) !== undefined);
    // The role first, once the name is known to be free: nobody ever has more than that one, and nobody else's password
    // gets it. Details of a removed administrator of that name are replaced.
    const details = hasRole ? this.#changeDetails(name, actor, () => ({ role })) : undefined;
    return { ...this.#changePassword(name, actor, edit, details), credentials };
  }

  /** Sets the role of an administrator. The change throws a PasswordEditError for the last one with full permissions. */
  setRole(name: string, role: AdminRole, actor?: Actor): FileChange {
    return this.#changeDetails(name, actor, (details, accounts, names) => {
      if (role !== 'administrator') assertAnother(names, accounts, name);
      return { ...details, role };
    });
  }

  /** Sets or removes the second factor of an administrator. */
  setSecondFactor(name: string, factor: SecondFactor | undefined, actor?: Actor): FileChange {
    return this.#changeDetails(name, actor, (details, accounts) => {
      const role = roleIn(accounts, name);
      return factor === undefined ? { role } : { ...details, role, second_factor: factor };
    });
  }

  /**
   * Removes a recovery code.
   * @returns false if it does not exist: of concurrent calls, one succeeds
   * @throws Problem 507 if the file cannot be written
   */
  async useRecoveryCode(name: string, hash: string): Promise<boolean> {
    let isUsed = false;
    const change = this.#changeDetails(name, undefined, (details) => {
      const factor = details?.second_factor;
      isUsed = factor?.recovery_codes.includes(hash) === true;
      if (details === undefined || factor === undefined || !isUsed) return details;
      const codes = factor.recovery_codes.filter((one) => one !== hash);
      return { ...details, second_factor: { ...factor, recovery_codes: codes } };
    });
    await withEditProblems(() => change.apply());
    return isUsed;
  }

  /** The change throws a PasswordEditError for the last one with full permissions, or if the file cannot be written. */
  async remove(name: string, actor?: Actor): Promise<FileChange> {
    const own = this.#changePassword(name, actor, (bytes, accounts) => {
      const { users } = readPasswordTable(bytes.toString('utf8'));
      assertExists(users, name);
      assertAnother([...users.keys()], accounts, name);
      return removePasswordUser(bytes, name);
    });
    if ((await this.#accounts.read())?.has(name) !== true) return own;
    return inOrder(own, [own, this.#changeDetails(name, actor, () => undefined)]);
  }

  #changePassword(
    name: string,
    actor: Actor | undefined,
    edit: (bytes: Buffer, accounts: AccountTable | undefined) => ReturnType<PasswordEdit>,
    first?: FileChange,
  ): FileChange {
    const editOf = async (): Promise<PasswordEdit> => {
      const accounts = await this.#accounts.read();
      return (bytes) => edit(bytes, accounts);
    };
    return this.#passwords.change(name, { summary: summaryOf(name), actor }, editOf, first);
  }

  #changeDetails(name: string, actor: Actor | undefined, edit: DetailsEdit): FileChange {
    return this.#accounts.change(
      name,
      { summary: summaryOf(name), actor },
      { names: () => this.names(), edit },
    );
  }
}

function summaryOf(name: string): string {
  return `Changed the administrator "${name}".`;
}

/** @throws PasswordEditError if an administrator does not exist */
function assertExists(users: ReadonlyMap<string, unknown>, name: string): void {
  if (!users.has(name)) throw new PasswordEditError(`Administrator "${name}" no longer exists.`);
}

/** @throws PasswordEditError if nobody else has the role `administrator` */
function assertAnother(names: readonly string[], accounts: AccountTable | undefined, name: string): void {
  const isFull = (one: string): boolean => roleIn(accounts, one) === 'administrator';
  if (!isFull(name) || names.some((one) => one !== name && isFull(one))) return;
  throw new PasswordEditError(
    names.length === 1
      ? `"${name}" is the last administrator. Add another one first.`
      : `"${name}" is the last one with the role administrator. Assign it to another one first.`,
  );
}
