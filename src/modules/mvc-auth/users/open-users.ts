import { ConfigurationError, type Services } from '../../../framework';
import { AuthConfigurationError, withAdapterName } from '../http-adapter/auth-configuration-error';
import type { PasswordHashing } from '../passwords/password-hashing';
import { CachedUsers } from './cached-users';
import { isUserTables, USER_TABLES, type UserTable } from './user-table';
import type { UserTableSettings } from './user-table-settings';

/** The users of an adapter, in a table. */
export interface OpenUsers {
  readonly users: CachedUsers;
  /** Some hashes, to know what verifying one costs. */
  readonly sample: readonly string[];
  readonly title: string;
  readonly warnings: readonly string[];
  readonly close: () => void;
}

/** Opens the table that the option `users` names. @throws AuthConfigurationError */
export async function openUserTable(
  adapter: string,
  settings: UserTableSettings,
  services: Services | undefined,
): Promise<UserTable> {
  if (services?.has(USER_TABLES) !== true) {
    throw new AuthConfigurationError(
      adapter,
      'users names a database table, but no module provides databases; add "database" to "modules" in config/application.json',
    );
  }
  const tables = await services.getNamed(USER_TABLES, isUserTables, 'tables of users', adapter);
  try {
    return await tables.open(settings);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new AuthConfigurationError(adapter, error.message, { cause: error });
  }
}

/** Opens the users of an adapter. @throws AuthConfigurationError */
export async function openUsers(
  adapter: string,
  settings: UserTableSettings,
  context: {
    readonly services?: Services | undefined;
    readonly hashing: PasswordHashing;
    readonly warn: (message: string) => void;
  },
): Promise<OpenUsers> {
  const table = await openUserTable(adapter, settings, context.services);
  const users = new CachedUsers(table, {
    warn: (message) => context.warn(withAdapterName(adapter, message)),
    hashing: context.hashing,
  });
  // A database that is down is reported by its module, and at the first request.
  const sample = settings.hash === undefined ? [] : await table.sampleHashes().catch(() => []);
  return {
    users,
    sample,
    title: table.title,
    warnings: table.warnings,
    close: () => users.dispose(),
  };
}
