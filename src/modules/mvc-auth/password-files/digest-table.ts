import {
  DIGEST_ALGORITHMS,
  digestDigits,
  digestOf,
  toDigestAlgorithm,
  type DigestAlgorithm,
} from '../http/digest/digest-algorithm';
import { passwordLines, type LineIssue } from './lines';

/** The users of one realm in a digest file. */
export interface DigestTable {
  /** Secrets in lower-case hexadecimal by user name and algorithm. */
  readonly users: ReadonlyMap<string, ReadonlyMap<DigestAlgorithm, string>>;
  /** User names by algorithm and the hash of name and realm (RFC 7616, 3.4.4). */
  readonly hashedNames: ReadonlyMap<DigestAlgorithm, ReadonlyMap<string, string>>;
  /**
   * The algorithms to offer, strongest first: those for which every user has a line. Without any, the one that most
   * users have, so that one user's line does not lock out all others.
   */
  readonly offered: readonly DigestAlgorithm[];
  /** Whether every user has a line for each offered algorithm. */
  readonly servesAll: boolean;
  /** Whether the file has lines, and none of them can be parsed. */
  readonly isDamaged: boolean;
  readonly issues: readonly LineIssue[];
}

/** One line of a digest file, `user:realm:hash`. */
export interface DigestLine {
  readonly username: string;
  readonly realm: string;
  readonly algorithm: DigestAlgorithm;
  /** Lower-case hexadecimal. */
  readonly secret: string;
}

const LINE = /^([^:]+):([^:]*):(?:\{([^}]*)\})?([0-9a-f]+)$/i;

/**
 * Parses a line of a digest file: 32 hexadecimal digits are MD5, as in Apache, 64 SHA-256, and 64 after
 * `{SHA-512-256}` that algorithm. Returns undefined for anything else.
 */
export function parseDigestLine(text: string): DigestLine | undefined {
  const match = LINE.exec(text);
  const [, username, realm, label, digits] = match ?? [];
  if (username === undefined || realm === undefined || digits === undefined) return undefined;
  const algorithm =
    label === undefined ? (digits.length === 32 ? 'MD5' : 'SHA-256') : toDigestAlgorithm(label);
  if (algorithm === undefined || digits.length !== digestDigits(algorithm)) return undefined;
  return { username, realm, algorithm, secret: digits.toLowerCase() };
}

/** The inverse of {@link parseDigestLine}. */
export function formatDigestLine(line: DigestLine): string {
  const label = line.algorithm === 'SHA-512-256' ? '{SHA-512-256}' : '';
  return `${line.username}:${line.realm}:${label}${line.secret}`;
}

/**
 * Parses the users of a realm from a digest file. As in Apache, the first line of a user takes precedence. Ignores lines
 * of other realms; reports invalid lines as issues.
 */
export function readDigestTable(text: string, realm: string): DigestTable {
  const users = new Map<string, Map<DigestAlgorithm, string>>();
  const problems: LineIssue[] = [];
  let isDamaged: boolean | undefined;
  for (const { number, text: content } of passwordLines(text)) {
    const line = content.includes('\uFFFD') ? undefined : parseDigestLine(content);
    isDamaged = line === undefined && isDamaged !== false;
    if (line === undefined) {
      problems.push({ line: number, message: 'expected user:realm:hash in UTF-8; the line is ignored' });
    } else if (line.realm === realm) {
      const secrets = users.get(line.username) ?? new Map<DigestAlgorithm, string>();
      if (secrets.has(line.algorithm)) {
        const message = `user "${line.username}" has an earlier ${line.algorithm} line, which takes precedence`;
        problems.push({ line: number, message });
      } else {
        users.set(line.username, secrets.set(line.algorithm, line.secret));
      }
    }
  }
  const common = DIGEST_ALGORITHMS.filter(
    (algorithm) => users.size > 0 && usersWithout(users, algorithm).length === 0,
  );
  const offered = common.length > 0 ? common : mostUsed(users);
  return {
    users,
    hashedNames: hashNames(users, realm),
    offered,
    servesAll: offered === common,
    isDamaged: isDamaged === true,
    issues: problems,
  };
}

/** The realms of a digest file, in its order. */
export function digestRealms(text: string): readonly string[] {
  const lines = passwordLines(text).flatMap(({ text: content }) => parseDigestLine(content) ?? []);
  return [...new Set(lines.map(({ realm }) => realm))];
}

/** The users without a line for an algorithm. */
export function usersWithout(users: DigestTable['users'], algorithm: DigestAlgorithm): readonly string[] {
  return [...users].filter(([, secrets]) => !secrets.has(algorithm)).map(([username]) => username);
}

/** Prefers the first in the file on a tie, as it was offered before others were added. */
function mostUsed(users: DigestTable['users']): readonly DigestAlgorithm[] {
  const counts = new Map<DigestAlgorithm, number>();
  for (const secrets of users.values())
    for (const algorithm of secrets.keys()) counts.set(algorithm, (counts.get(algorithm) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts.keys()].filter((algorithm) => counts.get(algorithm) === most).slice(0, 1);
}

function hashNames(users: DigestTable['users'], realm: string): DigestTable['hashedNames'] {
  return new Map(
    DIGEST_ALGORITHMS.map((algorithm) => [
      algorithm,
      new Map(
        [...users.keys()].map((username) => [digestOf(algorithm, `${username}:${realm}`, 'utf8'), username]),
      ),
    ]),
  );
}
