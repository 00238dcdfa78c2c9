import {
  DIGEST_ALGORITHMS,
  digestDigits,
  digestOf,
  toDigestAlgorithm,
  type DigestAlgorithm,
} from './digest-algorithm';
import { passwordLines, type LineProblem } from './lines';

/** The users of one realm in a digest file. */
export interface DigestTable {
  /** Secrets in lower-case hexadecimal, by user name and algorithm. */
  readonly users: ReadonlyMap<string, ReadonlyMap<DigestAlgorithm, string>>;
  /** User names by the hash of name and realm (RFC 7616, 3.4.4), for each algorithm. */
  readonly hashedNames: ReadonlyMap<DigestAlgorithm, ReadonlyMap<string, string>>;
  /** The algorithms for which every user has a line, strongest first. */
  readonly offered: readonly DigestAlgorithm[];
  readonly problems: readonly LineProblem[];
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
 * Reads one line of a digest file. 32 hexadecimal digits are MD5, as Apache writes them, 64 are SHA-256, and
 * `{SHA-512-256}` before the 64 says that one. Nothing comes back for another form.
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

/** Writes what {@link parseDigestLine} reads. */
export function formatDigestLine(line: DigestLine): string {
  const label = line.algorithm === 'SHA-512-256' ? '{SHA-512-256}' : '';
  return `${line.username}:${line.realm}:${label}${line.secret}`;
}

/**
 * Reads the users of a realm out of the text of a digest file. The first line of a user counts, as in Apache;
 * lines of other realms are passed over; what can't be read is a problem, and the other lines keep working.
 */
export function readDigestTable(text: string, realm: string): DigestTable {
  const users = new Map<string, Map<DigestAlgorithm, string>>();
  const problems: LineProblem[] = [];
  for (const { number, text: content } of passwordLines(text)) {
    const line = content.includes('\uFFFD') ? undefined : parseDigestLine(content);
    if (line === undefined) {
      problems.push({ line: number, message: 'expected user:realm:hash in UTF-8; the line is not used' });
    } else if (line.realm === realm) {
      const secrets = users.get(line.username) ?? new Map<DigestAlgorithm, string>();
      if (secrets.has(line.algorithm)) {
        const message = `user "${line.username}" has an earlier ${line.algorithm} line, which counts`;
        problems.push({ line: number, message });
      } else {
        users.set(line.username, secrets.set(line.algorithm, line.secret));
      }
    }
  }
  const offered = DIGEST_ALGORITHMS.filter(
    (algorithm) => users.size > 0 && usersWithout(users, algorithm).length === 0,
  );
  return { users, hashedNames: hashNames(users, realm), offered, problems };
}

/** The realms that a digest file has lines of, in the order of the file. */
export function digestRealms(text: string): readonly string[] {
  const lines = passwordLines(text).flatMap(({ text: content }) => parseDigestLine(content) ?? []);
  return [...new Set(lines.map(({ realm }) => realm))];
}

/** The users who have no line for an algorithm. */
export function usersWithout(users: DigestTable['users'], algorithm: DigestAlgorithm): readonly string[] {
  return [...users].filter(([, secrets]) => !secrets.has(algorithm)).map(([username]) => username);
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
