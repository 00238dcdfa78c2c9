import { passwordLines, type LineProblem } from './lines';
import { NOBODYS_BCRYPT } from './hashes/bcrypt-hash';
import type { PasswordHash } from './hashes/password-hash';
import { readPasswordHash } from './hashes/read-password-hash';
import type { WeakKind } from './hashes/weak-hash';

/** The users of a password file. */
export interface PasswordTable {
  readonly users: ReadonlyMap<string, PasswordHash>;
  /** The most costly hash, to be tried for users who do not exist; whether it matches then means nothing. */
  readonly dummy: PasswordHash;
  readonly problems: readonly LineProblem[];
}

const KINDS = 'bcrypt, $apr1$, {SHA}, $5$ and $6$ are';

/**
 * Reads the text of a password file, `user:hash` a line, in the kinds of Apache. The first line of a user
 * counts; what can't be read or is of another kind (plain text, DES) is a problem, and the other lines keep
 * working. What follows a second colon is passed over, as in Apache.
 *
 * @param weak kinds that are taken though they protect nothing
 */
export function readPasswordTable(text: string, weak: readonly WeakKind[] = []): PasswordTable {
  const users = new Map<string, PasswordHash>();
  const problems: LineProblem[] = [];
  for (const { number, text: content } of passwordLines(text)) {
    const [username = '', stored] = content.split(':');
    const hash = stored === undefined ? undefined : readPasswordHash(stored, weak);
    if (username === '' || stored === undefined || content.includes('\uFFFD')) {
      problems.push({ line: number, message: 'expected user:hash in UTF-8; the line is not used' });
    } else if (hash === undefined) {
      const message = `the hash of user "${username}" is of no supported kind (${KINDS}; plain text and DES are not); the line is not used: set the password anew with "platform htpasswd"`;
      problems.push({ line: number, message });
    } else if (users.has(username)) {
      problems.push({ line: number, message: `user "${username}" has an earlier line, which counts` });
    } else {
      users.set(username, hash);
    }
  }
  return { users, dummy: mostCostly(users) ?? NOBODYS_BCRYPT, problems };
}

function mostCostly(users: PasswordTable['users']): PasswordHash | undefined {
  return [...users.values()].reduce<PasswordHash | undefined>(
    (most, hash) => (most === undefined || hash.cost > most.cost ? hash : most),
    undefined,
  );
}
