import { DIGEST_ALGORITHMS } from '../http/digest/digest-algorithm';
import { DigestScheme } from '../http/digest/digest-scheme';
import type { DigestSettings } from '../http/digest/digest-settings';
import { readDigestTable, usersWithout, type DigestTable } from '../password-files/digest-table';
import { describeLineIssues } from '../password-files/lines';
import { AuthConfigurationError } from './auth-configuration-error';
import type { OpenScheme } from './open-basic';
import { openPasswordFile } from './open-password-file';

export interface OpenDigestOptions extends Omit<DigestSettings, 'users'> {
  /** Absolute path of the digest file. */
  readonly path: string;
  readonly warn: (message: string) => void;
}

/** The maximum number of user names in a warning. */
const MAX_NAMES = 10;

/** Opens Digest over a digest file. @throws AuthConfigurationError */
export async function openDigest(options: OpenDigestOptions): Promise<OpenScheme> {
  const { adapter, path, realm, warn } = options;
  const describe = (table: DigestTable): readonly string[] => describeTable(path, realm, table);
  const file = await openPasswordFile({
    adapter,
    path,
    option: 'htdigest',
    advice: `create it with: npx apidesc-platform htdigest -c ${path} "${realm}" USER`,
    read: (text, previous?: DigestTable) => keepOffer(readDigestTable(text, realm), previous),
    describe,
    changed: () => undefined,
    warn,
  });
  if (file.current.offered.length === 0) {
    file.close();
    throw new AuthConfigurationError(
      adapter,
      `${path} has no line of realm "${realm}" (user:realm:hash); set the option realm to the realm of the file, or add a user with: npx apidesc-platform htdigest ${path} "${realm}" USER`,
    );
  }
  const users: DigestSettings['users'] = {
    get algorithms() {
      return file.current.offered;
    },
    secretOf: (username, algorithm) => file.current.users.get(username)?.get(algorithm),
    usernameOf: (userhash, algorithm) => file.current.hashedNames.get(algorithm)?.get(userhash),
  };
  return {
    scheme: new DigestScheme({ ...options, users }),
    has: (username) => file.current.users.has(username),
    warnings: describe(file.current),
    close: () => file.close(),
  };
}

/**
 * A file without users, or without an algorithm that all users share, takes effect too, or removed users could still
 * sign in; the offered algorithms stay the same then.
 */
function keepOffer(table: DigestTable, previous: DigestTable | undefined): DigestTable {
  const isComplete = table.servesAll && table.offered.length > 0;
  return isComplete || !previous ? table : { ...table, offered: previous.offered };
}

/** Returns warnings about the users of a realm in a digest file. */
export function describeTable(path: string, realm: string, table: DigestTable): readonly string[] {
  const gaps = DIGEST_ALGORITHMS.map((algorithm) => ({
    algorithm,
    missing: usersWithout(table.users, algorithm),
    offered: table.offered.includes(algorithm),
  })).filter(({ missing, offered }) => missing.length > 0 && (offered || missing.length < table.users.size));
  return [
    ...describeLineIssues(path, table.issues),
    ...(table.users.size === 0 ? [`${path} has no user of realm "${realm}": nobody can sign in`] : []),
    ...gaps.map(({ algorithm, missing, offered }) => {
      const names = missing.slice(0, MAX_NAMES).join(', ') + (missing.length > MAX_NAMES ? ', …' : '');
      const effect = offered ? 'is offered, but these users cannot sign in with it' : 'is not offered';
      return `${algorithm} ${effect}: ${missing.length} of ${table.users.size} users of realm "${realm}" have no line for it in ${path} (${names})`;
    }),
  ];
}
