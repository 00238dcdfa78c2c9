import { errorMessage, type MaybePromise } from '../../../../framework';
import { DIGEST_ALGORITHMS, digestSecret } from '../../http/digest/digest-algorithm';
import { PasswordEditError } from '../../password-files/editing/password-edit-error';
import { checkBcryptPassword, checkName, checkPassword } from '../../password-files/names';
import { BCRYPT_COST, hashWithBcrypt } from '../../passwords/hashes/bcrypt-hash';
import type { UserChanges, UserTable } from '../user-table';
import type { UserTableSettings } from '../user-table-settings';
import type { EditableUsers } from './editable-users';

/** The users of a table. */
export class TableUsers implements EditableUsers {
  readonly title: string;
  readonly #table: UserTable;
  readonly #settings: UserTableSettings;
  readonly #realm: string;

  /** @param realm of the adapter, which Digest secrets contain */
  constructor(table: UserTable, settings: UserTableSettings, realm: string) {
    this.title = table.title;
    this.#table = table;
    this.#settings = settings;
    this.#realm = realm;
  }

  checkPassword(password: string): void {
    if (this.#settings.hash === undefined) checkPassword(password);
    else checkBcryptPassword(password);
  }

  async has(name: string): Promise<boolean> {
    return (await this.#find(name)) !== undefined;
  }

  async add(name: string, password: string, groups: readonly string[]): Promise<void> {
    checkName('user name', name);
    const row = { ...(await this.#credentials(name, password)), ...(groups.length === 0 ? {} : { groups }) };
    await this.#attempt('changed', this.#table.add(name, row));
  }

  async setPassword(name: string, password: string): Promise<void> {
    await this.#change(name, await this.#credentials(name, password));
  }

  async disable(name: string): Promise<string> {
    await this.#change(name, { isEnabled: false });
    return `Disabled user "${name}".`;
  }

  async enable(name: string): Promise<string> {
    await this.#change(name, { isEnabled: true });
    return `Enabled user "${name}".`;
  }

  async groupsOf(name: string): Promise<readonly string[]> {
    const user = await this.#find(name);
    if (user === undefined) throw this.#unknown(name);
    return user.groups;
  }

  async setGroups(name: string, groups: readonly string[]): Promise<void> {
    await this.#change(name, { groups });
  }

  async #credentials(name: string, password: string): Promise<UserChanges> {
    this.checkPassword(password);
    const { hash, ha1 = {} } = this.#settings;
    const mapped = DIGEST_ALGORITHMS.filter((algorithm) => ha1[algorithm] !== undefined);
    return {
      ...(hash === undefined ? {} : { hash: await hashWithBcrypt(password, BCRYPT_COST) }),
      ha1: Object.fromEntries(
        mapped.map((algorithm) => [algorithm, digestSecret(algorithm, name, this.#realm, password)]),
      ),
    };
  }

  async #change(name: string, changes: UserChanges): Promise<void> {
    if (!(await this.#attempt('changed', this.#table.change(name, changes)))) throw this.#unknown(name);
  }

  async #find(name: string): Promise<Awaited<ReturnType<UserTable['find']>>> {
    return await this.#attempt('read', this.#table.find(name));
  }

  async #attempt<T>(action: 'read' | 'changed', work: MaybePromise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof PasswordEditError) throw error;
      const reason = errorMessage(error);
      throw new PasswordEditError(`${capitalized(this.title)} cannot be ${action}: ${reason}`, {
        cause: error,
      });
    }
  }

  #unknown(name: string): PasswordEditError {
    return new PasswordEditError(
      `${capitalized(this.title)} has no user "${name}". Names are case-sensitive. Add the user with "apidesc-platform user add".`,
    );
  }
}

function capitalized(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
