import { didYouMean, isObject } from '../../../../framework';
import { ADMIN_ROLES, isAdminRole, type AdminRole } from '../roles';

/** The second factor of an administrator (RFC 6238). */
export interface SecondFactor {
  /** The shared secret in Base32 (RFC 4648, 6). */
  readonly secret: string;
  /** SHA-256 hashes of the recovery codes that are left, in lower-case hexadecimal. */
  readonly recovery_codes: readonly string[];
}

/** What the password file of the administrators cannot contain. */
export interface AccountDetails {
  readonly role: AdminRole;
  readonly second_factor?: SecondFactor;
}

/** The details by the names of administrators. */
export type AccountTable = ReadonlyMap<string, AccountDetails>;

/** Content that is not the details of administrators. */
export class AccountFileError extends Error {
  override readonly name = 'AccountFileError';
}

/** Returns the path of the details: `data/administrators.json` for `data/administrators.htpasswd`. */
export function accountFileOf(administrators: string): string {
  return administrators.replace(/(?:\.htpasswd)?$/, '.json');
}

/** Returns the role of an administrator. Without a file all have full permissions; a name that it lacks has the least. */
export function roleIn(accounts: AccountTable | undefined, name: string): AdminRole {
  return accounts === undefined ? 'administrator' : (accounts.get(name)?.role ?? 'viewer');
}

/**
 * Parses the details. An unknown member is an error: it may be a misspelt restriction.
 * @param text undefined for a missing file
 * @throws AccountFileError
 */
export function readAccounts(text: string | undefined): AccountTable | undefined {
  if (text === undefined) return undefined;
  const value = parse(text);
  if (!isObject(value)) throw new AccountFileError('is not an object of administrators by name.');
  return new Map(Object.entries(value).map(([name, details]) => [name, readDetails(name, details)]));
}

/** Returns the content of the file with the details of one administrator replaced; undefined removes them. */
export function writeAccounts(
  table: AccountTable,
  name: string,
  details: AccountDetails | undefined,
): string {
  const all = new Map(table);
  if (details === undefined) all.delete(name);
  else all.set(name, details);
  return `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AccountFileError('is not valid JSON.', { cause: error });
  }
}

function readDetails(name: string, value: unknown): AccountDetails {
  const where = JSON.stringify(name);
  if (!isObject(value)) throw new AccountFileError(`has no object for ${where}.`);
  assertMembers(where, value, ['role', 'second_factor']);
  const { role, second_factor: factor } = value;
  if (!isAdminRole(role)) {
    const found = role === undefined ? 'no role' : `the unknown role ${JSON.stringify(role)}`;
    throw new AccountFileError(`has ${found} for ${where}. Available: ${ADMIN_ROLES.join(', ')}.`);
  }
  return {
    role,
    ...(factor === undefined ? {} : { second_factor: readFactor(where, factor) }),
  };
}

function readFactor(where: string, value: unknown): SecondFactor {
  if (!isObject(value)) throw new AccountFileError(`has a second_factor of ${where} that is not an object.`);
  assertMembers(`${where}.second_factor`, value, ['secret', 'recovery_codes']);
  const { secret, recovery_codes: codes = [] } = value;
  if (typeof secret !== 'string' || !/^[A-Z2-7]{26,}$/.test(secret))
    throw new AccountFileError(`has no valid secret for ${where}: at least 26 Base32 characters.`);
  if (!isHashes(codes))
    throw new AccountFileError(`has recovery_codes of ${where} that are not a list of SHA-256 hashes.`);
  return { secret, recovery_codes: codes };
}

function isHashes(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && /^[0-9a-f]{64}$/.test(one));
}

function assertMembers(where: string, value: object, allowed: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown === undefined) return;
  throw new AccountFileError(
    `has the unknown member ${JSON.stringify(unknown)} in ${where}.` +
      `${didYouMean(unknown, allowed)} Allowed: ${allowed.join(', ')}.`,
  );
}
