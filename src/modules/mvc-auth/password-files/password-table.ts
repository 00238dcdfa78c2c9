import { pluralize } from '../../../framework';
import { passwordLines, type LineIssue } from './lines';
import { DUMMY_BCRYPT } from '../passwords/hashes/bcrypt-hash';
import type { PasswordHash } from '../passwords/hashes/password-hash';
import { readPasswordHash } from '../passwords/hashes/read-password-hash';
import { weakKindOf, type WeakKind } from '../passwords/hashes/weak-hash';

/** The users of a password file. */
export interface PasswordTable {
  readonly users: ReadonlyMap<string, PasswordHash>;
  /** The most expensive hash, verified for unknown users; a match means nothing then. */
  readonly dummy: PasswordHash;
  /** Whether the file has lines, and none of them can be parsed. An unsupported hash disables its user instead. */
  readonly isDamaged: boolean;
  readonly issues: readonly LineIssue[];
}

const KINDS = 'bcrypt, $apr1$, {SHA}, $5$ and $6$ are';

/** Approximate cost in microseconds from which an operator should know of it: see `PasswordHash`. */
const SLOW = 1_000_000;

/**
 * Parses a password file, one `user:hash` per line, with the hashes of Apache. As in Apache, the first line of a user
 * takes precedence, and text after a second colon is ignored. Reports invalid and unsupported lines as issues.
 *
 * @param weak further kinds of hashes to accept, which offer no protection
 */
export function readPasswordTable(text: string, weak: readonly WeakKind[] = []): PasswordTable {
  const users = new Map<string, PasswordHash>();
  const problems: LineIssue[] = [];
  let isDamaged: boolean | undefined;
  for (const { number, text: content } of passwordLines(text)) {
    const [username = '', stored] = content.split(':');
    const hash = stored === undefined ? undefined : readPasswordHash(stored, weak);
    const isMalformed = username === '' || stored === undefined || content.includes('\uFFFD');
    isDamaged = isMalformed && isDamaged !== false;
    if (isMalformed) {
      problems.push({ line: number, message: 'expected user:hash in UTF-8; the line is ignored' });
    } else if (hash === undefined && /^[^${]*\s/.test(stored)) {
      const message =
        'expected user:hash; the line is ignored: if it is that of a group, "group: user user …", specify the file as "htgroup"';
      problems.push({ line: number, message });
    } else if (hash === undefined) {
      const message = `the hash of user "${username}" is not of a supported kind (${KINDS}; plain text and DES are not); the line is ignored: set the password again with "apidesc-platform htpasswd"`;
      problems.push({ line: number, message });
    } else if (users.has(username)) {
      problems.push({
        line: number,
        message: `user "${username}" has an earlier line, which takes precedence`,
      });
    } else {
      users.set(username, hash);
      if (hash.cost >= SLOW) problems.push({ line: number, message: slowHash(username, hash) });
    }
  }
  return {
    users,
    dummy: mostExpensive(users) ?? DUMMY_BCRYPT,
    isDamaged: isDamaged === true,
    issues: problems,
  };
}

function slowHash(username: string, { cost }: PasswordHash): string {
  const seconds = Math.round(cost / 1_000_000);
  return `the hash of user "${username}" takes about ${pluralize(seconds, 'second')} to verify, and so does each wrong password and unknown user: set the password again with "apidesc-platform htpasswd"`;
}

/** Why the hash of a user cannot be verified, as the end of a sentence; undefined if it can, or without a line. */
export function unsupportedHash(text: string, username: string): string | undefined {
  const stored = passwordLines(text)
    .map(({ text: line }) => line.split(':'))
    .find(([name]) => name === username)?.[1];
  if (stored === undefined || readPasswordHash(stored) !== undefined) return undefined;
  const kind = weakKindOf(stored);
  if (kind === undefined) return `a hash of an unsupported kind (${KINDS})`;
  const what = kind === 'des' ? 'a DES hash (crypt)' : 'a plain-text password';
  return `${what}, which is not supported unless the adapter opts in with "weak_hashes": ["${kind}"]`;
}

function mostExpensive(users: PasswordTable['users']): PasswordHash | undefined {
  return [...users.values()].reduce<PasswordHash | undefined>(
    (max, hash) => (max === undefined || hash.cost > max.cost ? hash : max),
    undefined,
  );
}
