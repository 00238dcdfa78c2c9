import { BCRYPT_LONGEST, fitsBcrypt } from './hashes/bcrypt-hash';
import { LONGEST_PASSWORD } from './hashes/password-hash';
import { PasswordEditError } from './password-edit-error';

/** What Apache's tools and modules read. */
const LONGEST_NAME = 255;

/**
 * Refuses a name that a line of a password file can't hold, or that could never sign in. Throws
 * {@link PasswordEditError}.
 *
 * @param what how the message calls it, e.g. `user name`
 */
export function checkName(what: 'user name' | 'realm', name: string): void {
  const fault =
    (name === '' && 'is empty') ||
    (name.includes(':') && 'has a colon, which separates the fields of a line') ||
    (/[\p{Cc}\uFFFD]/u.test(name) && 'has control characters or is not UTF-8') ||
    (name !== name.trim() && 'has white space around it') ||
    (what === 'user name' && name.startsWith('#') && 'begins with #, which makes the line a comment') ||
    (Buffer.byteLength(name) > LONGEST_NAME && `is longer than ${LONGEST_NAME} bytes`);
  if (fault !== false) throw new PasswordEditError(`The ${what} ${fault}.`);
}

/** Refuses a password that could never be sent; throws {@link PasswordEditError}. */
export function checkPassword(password: string): void {
  const fault =
    (password === '' && 'is empty') ||
    (/[\p{Cc}\uFFFD]/u.test(password) && 'has control characters or is not UTF-8') ||
    (Buffer.byteLength(password) > LONGEST_PASSWORD && `is longer than ${LONGEST_PASSWORD} bytes`);
  if (fault !== false) throw new PasswordEditError(`The password ${fault}.`);
}

/** Refuses a password of which bcrypt would see a part only; throws {@link PasswordEditError}. */
export function checkBcryptPassword(password: string): void {
  checkPassword(password);
  if (!fitsBcrypt(password)) {
    throw new PasswordEditError(
      `The password is longer than the ${BCRYPT_LONGEST} bytes that bcrypt looks at.`,
    );
  }
}
