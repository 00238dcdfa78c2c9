import type { MaybePromise } from '../../../framework';
import type { DigestAlgorithm } from '../http/digest/digest-algorithm';
import type { UserTableSettings } from './user-table-settings';

/** A user as a table stores it. */
export interface StoredUser {
  /** The password hash, of any kind that password files take. */
  readonly hash: string | undefined;
  /** H(name ":" realm ":" password) by algorithm, in hexadecimal. */
  readonly ha1: Readonly<Partial<Record<DigestAlgorithm, string>>>;
  readonly groups: readonly string[];
  readonly isEnabled: boolean;
}

/** What is written of a user; members that are undefined stay unchanged. */
export type UserChanges = Partial<StoredUser>;

/** The users in a database table. */
export interface UserTable {
  /** For messages: `the table "users" of the database "main"`. */
  readonly title: string;
  /** What an operator should know, e.g. that names are not unique. */
  readonly warnings: readonly string[];
  /** Looks up a user by the exact name. Rejects if the database cannot be reached. */
  find(name: string): MaybePromise<StoredUser | undefined>;
  /** Some stored hashes, to know what verifying one costs. Rejects if the database cannot be reached. */
  sampleHashes(): Promise<readonly string[]>;
  /** Calls a listener after this process has written to the table. @returns stops calling it */
  onChange(listener: () => void): () => void;
  /** Adds a user. Rejects with a PasswordEditError that says what prevents it. */
  add(name: string, user: UserChanges): Promise<void>;
  /** Changes a user. @returns false for an unknown one. Rejects with a PasswordEditError that says what prevents it */
  change(name: string, changes: UserChanges): Promise<boolean>;
}

/** Opens tables of users. The database module binds it, so that authentication does not depend on databases. */
export interface UserTables {
  /** Rejects with an error that names what the database does not have. A database that is down is not an error. */
  open(settings: UserTableSettings): Promise<UserTable>;
}

/** The name of the service {@link UserTables}. */
export const USER_TABLES = 'UserTables';

export function isUserTables(service: unknown): service is UserTables {
  return typeof service === 'object' && service !== null && 'open' in service;
}
