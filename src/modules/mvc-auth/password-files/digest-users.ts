import { DIGEST_ALGORITHMS, digestSecret, type DigestAlgorithm } from './digest-algorithm';
import { formatDigestLine, parseDigestLine, readDigestTable } from './digest-table';
import { editPasswordFile, type EditedFile } from './edit-password-file';
import { checkName, checkPassword } from './names';

/** A user of a realm in a digest file. */
export interface DigestUser {
  readonly username: string;
  readonly realm: string;
}

/** Refuses names that a digest file can't hold; throws PasswordEditError. */
export function checkDigestUser(user: DigestUser): void {
  checkName('user name', user.username);
  checkName('realm', user.realm);
}

/**
 * Sets the password of a user in the content of a digest file.
 *
 * Without algorithms the lines that the user has are all renewed, so that an old password does not live on in
 * one of them; a new user gets those that every other user of the realm has, or MD5. Throws PasswordEditError
 * for names and passwords that are refused.
 */
export function setDigestPassword(
  bytes: Buffer,
  user: DigestUser,
  password: string,
  algorithms: readonly DigestAlgorithm[] = usualAlgorithms(bytes, user),
): EditedFile {
  checkDigestUser(user);
  checkPassword(password);
  const lines = algorithms.map((algorithm) =>
    formatDigestLine({
      ...user,
      algorithm,
      secret: digestSecret(algorithm, user.username, user.realm, password),
    }),
  );
  return editPasswordFile(bytes, { owns: (line) => isOf(user, line, algorithms), lines });
}

/** Takes a user's lines away, all or those of some algorithms. */
export function removeDigestUser(
  bytes: Buffer,
  user: DigestUser,
  algorithms: readonly DigestAlgorithm[] = DIGEST_ALGORITHMS,
): EditedFile {
  return editPasswordFile(bytes, { owns: (line) => isOf(user, line, algorithms), lines: [] });
}

/** The secrets of a user by algorithm, empty when there is no such user. */
export function digestSecrets(bytes: Buffer, user: DigestUser): ReadonlyMap<DigestAlgorithm, string> {
  return readDigestTable(bytes.toString('utf8'), user.realm).users.get(user.username) ?? new Map();
}

function usualAlgorithms(bytes: Buffer, user: DigestUser): readonly DigestAlgorithm[] {
  const { users, offered } = readDigestTable(bytes.toString('utf8'), user.realm);
  const own = users.get(user.username);
  if (own) return [...own.keys()];
  // Apache takes a user's first line, and reads it as MD5 whatever it is.
  return offered.length > 0 ? DIGEST_ALGORITHMS.filter((one) => offered.includes(one)) : ['MD5'];
}

/** A line of the user that can't be read goes too: it says nothing, and would stay for ever. */
function isOf(user: DigestUser, line: string, algorithms: readonly DigestAlgorithm[]): boolean {
  if (!line.startsWith(`${user.username}:${user.realm}:`)) return false;
  const algorithm = parseDigestLine(line)?.algorithm;
  return algorithm === undefined || algorithms.includes(algorithm);
}
