import { editPasswordFile, type EditedFile } from './edit-password-file';
import { hashWithBcrypt } from '../../passwords/hashes/bcrypt-hash';
import { checkBcryptPassword, checkName } from '../names';

/**
 * Formats the line of a user, hashing the password with bcrypt in the thread pool. Rejects with PasswordEditError for
 * an invalid name or password.
 *
 * @param cost 4 to 17, logarithmic
 */
export async function passwordLine(username: string, password: string, cost: number): Promise<string> {
  checkName('user name', username);
  checkBcryptPassword(password);
  return `${username}:${await hashWithBcrypt(password, cost)}`;
}

/** Adds or replaces the line of a user in the content of a password file. */
export function setPasswordLine(bytes: Buffer, username: string, line: string): EditedFile {
  return editPasswordFile(bytes, { owns: ownedBy(username), lines: [line] });
}

/** Removes the lines of a user. */
export function removePasswordUser(bytes: Buffer, username: string): EditedFile {
  return editPasswordFile(bytes, { owns: ownedBy(username), lines: [] });
}

function ownedBy(username: string): (line: string) => boolean {
  return (line) => line.startsWith(`${username}:`);
}
