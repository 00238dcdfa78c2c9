import { DIGEST_ALGORITHMS, digestSecret, type DigestAlgorithm } from '../../http/digest/digest-algorithm';
import { formatDigestLine, parseDigestLine, readDigestTable } from '../digest-table';
import { editPasswordFile, type EditedFile } from './edit-password-file';
import { passwordLines } from '../lines';
import { checkName, checkPassword } from '../names';

/** Most clients support one of them. */
const DEFAULTS: readonly DigestAlgorithm[] = ['SHA-256', 'MD5'];

export interface DigestUser {
  readonly username: string;
  readonly realm: string;
}

/** @throws PasswordEditError for a user name or realm that a digest file cannot hold */
export function checkDigestUser(user: DigestUser): void {
  checkName('user name', user.username);
  checkName('realm', user.realm);
}

/** The lines of a user by algorithm. */
export type DigestLines = ReadonlyMap<DigestAlgorithm, string>;

/**
 * Hashes a password for a user.
 * @throws PasswordEditError for an invalid name or password
 */
export function digestLines(
  user: DigestUser,
  password: string,
  algorithms: readonly DigestAlgorithm[],
): DigestLines {
  checkDigestUser(user);
  checkPassword(password);
  return new Map(
    algorithms.map((algorithm) => {
      const secret = digestSecret(algorithm, user.username, user.realm, password);
      return [algorithm, formatDigestLine({ ...user, algorithm, secret })];
    }),
  );
}

/**
 * Sets the password of a user in the content of a digest file.
 *
 * Without algorithms, replaces all lines of the user, so that no line keeps an old password, and adds those of
 * {@link digestAlgorithmsFor}.
 * @throws PasswordEditError for an invalid name or password
 */
export function setDigestPassword(
  bytes: Buffer,
  user: DigestUser,
  password: string,
  algorithms: readonly DigestAlgorithm[] = digestAlgorithmsFor(bytes, user),
): EditedFile {
  return setDigestLines(bytes, user, digestLines(user, password, algorithms));
}

/** The MD5 line is written first, since Apache reads the first line of a user as MD5. */
function setDigestLines(bytes: Buffer, user: DigestUser, set: DigestLines): EditedFile {
  const algorithms = [...set.keys()];
  const lines = toFileOrder(algorithms).map((algorithm) => set.get(algorithm) ?? '');
  const isReplaced = (line: string): boolean => isLineOf(user, line, algorithms);
  const own = linesOf(bytes, user);
  if (!set.has('MD5') || isReplaced(own[0] ?? '') || own.length === 0)
    return editPasswordFile(bytes, { owns: isReplaced, lines });
  // The user's other lines come first: move them behind the MD5 line.
  const others = own.filter((line) => !isReplaced(line));
  const { bytes: edited } = editPasswordFile(bytes, {
    owns: (line) => isLineOf(user, line, DIGEST_ALGORITHMS),
    lines: [...lines, ...others],
  });
  return { bytes: edited, replaced: own.length - others.length };
}

/** Removes the lines of a user, all or those of some algorithms. */
export function removeDigestUser(
  bytes: Buffer,
  user: DigestUser,
  algorithms: readonly DigestAlgorithm[] = DIGEST_ALGORITHMS,
): EditedFile {
  return editPasswordFile(bytes, { owns: (line) => isLineOf(user, line, algorithms), lines: [] });
}

/** The secrets of a user by algorithm; empty for an unknown user. */
export function digestSecrets(bytes: Buffer, user: DigestUser): ReadonlyMap<DigestAlgorithm, string> {
  return readDigestTable(bytes.toString('utf8'), user.realm).users.get(user.username) ?? new Map();
}

/**
 * The algorithms that a user should have: those that the user has and that the realm offers; SHA-256 and MD5 in a realm
 * without users. SHA-256 accompanies MD5, so that a realm offers it as soon as all users have it; MD5 is not added to a
 * realm that does without it.
 */
export function digestAlgorithmsFor(bytes: Buffer, user: DigestUser): readonly DigestAlgorithm[] {
  const { users, offered } = readDigestTable(bytes.toString('utf8'), user.realm);
  const known = new Set([...(users.get(user.username)?.keys() ?? []), ...offered]);
  if (known.size === 0 || known.has('MD5')) for (const algorithm of DEFAULTS) known.add(algorithm);
  return DIGEST_ALGORITHMS.filter((algorithm) => known.has(algorithm));
}

/** Replaces all lines of a user by those of {@link digestLines}. */
export function replaceDigestUser(bytes: Buffer, user: DigestUser, lines: DigestLines): EditedFile {
  const surplus = DIGEST_ALGORITHMS.filter((algorithm) => !lines.has(algorithm));
  const removed = removeDigestUser(bytes, user, surplus);
  const edited = setDigestLines(removed.bytes, user, lines);
  return { bytes: edited.bytes, replaced: removed.replaced + edited.replaced };
}

/** MD5 first. */
function toFileOrder(algorithms: readonly DigestAlgorithm[]): readonly DigestAlgorithm[] {
  return [...algorithms].sort((one, other) => Number(other === 'MD5') - Number(one === 'MD5'));
}

/** The lines of a user, in the order of the file. */
function linesOf(bytes: Buffer, user: DigestUser): readonly string[] {
  return passwordLines(bytes.toString('utf8'))
    .map(({ text }) => text)
    .filter((line) => isLineOf(user, line, DIGEST_ALGORITHMS));
}

/** Includes invalid lines of the user, which would stay forever otherwise. */
function isLineOf(user: DigestUser, line: string, algorithms: readonly DigestAlgorithm[]): boolean {
  if (!line.startsWith(`${user.username}:${user.realm}:`)) return false;
  const algorithm = parseDigestLine(line)?.algorithm;
  return algorithm === undefined || algorithms.includes(algorithm);
}
