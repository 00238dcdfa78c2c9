import { MAX_BCRYPT_BYTES, fitsBcrypt } from '../passwords/hashes/bcrypt-hash';
import { MAX_PASSWORD_LENGTH } from '../passwords/hashes/password-hash';
import { PasswordEditError } from './editing/password-edit-error';

/** The limit of Apache's tools and modules. */
const MAX_NAME_BYTES = 255;

/**
 * @param what the noun for the message
 * @throws PasswordEditError for a name that a line cannot hold, or that could never sign in
 */
export function checkName(what: 'user name' | 'realm', name: string): void {
  const fault =
    (name === '' && 'is empty') ||
    (name.includes(':') && 'contains a colon, which separates the fields of a line') ||
    (/[\p{Cc}\uFFFD]/u.test(name) && 'contains control characters or is not UTF-8') ||
    (name !== name.trim() && 'has leading or trailing white space') ||
    (what === 'user name' && name.startsWith('#') && 'starts with #, which makes the line a comment') ||
    (Buffer.byteLength(name) > MAX_NAME_BYTES && `is longer than ${MAX_NAME_BYTES} bytes`);
  if (fault !== false) throw new PasswordEditError(`The ${what} ${fault}.`);
}

/** @throws PasswordEditError for a password that clients could not send */
export function checkPassword(password: string): void {
  const fault =
    (password === '' && 'is empty') ||
    (/[\p{Cc}\uFFFD]/u.test(password) && 'contains control characters or is not UTF-8') ||
    (Buffer.byteLength(password) > MAX_PASSWORD_LENGTH && `is longer than ${MAX_PASSWORD_LENGTH} bytes`);
  if (fault !== false) throw new PasswordEditError(`The password ${fault}.`);
}

/** @throws PasswordEditError for a password that is invalid or longer than bcrypt supports */
export function checkBcryptPassword(password: string): void {
  checkPassword(password);
  if (!fitsBcrypt(password)) {
    throw new PasswordEditError(
      `The password is longer than ${MAX_BCRYPT_BYTES} bytes, the maximum of bcrypt.`,
    );
  }
}
