import { editPasswordFile, type EditedFile } from './edit-password-file';
import { hashWithBcrypt } from './hashes/bcrypt-hash';
import { checkBcryptPassword, checkName } from './names';

/**
 * The line that a user gets in a password file, hashed with bcrypt off the event loop. Rejects with
 * PasswordEditError for a name or password that is refused.
 *
 * @param cost 4 to 17, the logarithm of the work
 */
export async function passwordLine(username: string, password: string, cost: number): Promise<string> {
  checkName('user name', username);
  checkBcryptPassword(password);
  return `${username}:${await hashWithBcrypt(password, cost)}`;
}

/** Puts the line of a user into the content of a password file. */
export function setPasswordLine(bytes: Buffer, username: string, line: string): EditedFile {
  return editPasswordFile(bytes, { owns: ownedBy(username), lines: [line] });
}

/** Takes a user's lines away. */
export function removePasswordUser(bytes: Buffer, username: string): EditedFile {
  return editPasswordFile(bytes, { owns: ownedBy(username), lines: [] });
}

function ownedBy(username: string): (line: string) => boolean {
  return (line) => line.startsWith(`${username}:`);
}
