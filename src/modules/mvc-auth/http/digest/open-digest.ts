import { DIGEST_ALGORITHMS } from '../../password-files/digest-algorithm';
import { readDigestTable, usersWithout, type DigestTable } from '../../password-files/digest-table';
import { describeProblems } from '../../password-files/lines';
import { AuthConfigurationError } from '../auth-configuration-error';
import type { OpenScheme } from '../scheme';
import { openPasswordFile } from '../open-password-file';
import { DigestScheme } from './digest-scheme';
import type { DigestSettings } from './digest-settings';

/** What opening Digest needs. */
export interface DigestOpening extends Omit<DigestSettings, 'table'> {
  /** The digest file, absolute. */
  readonly path: string;
  readonly warn: (message: string) => void;
}

/** How many user names a warning holds. */
const NAMED = 10;

/** Opens the digest file and builds the scheme; throws {@link AuthConfigurationError}. */
export async function openDigest(opening: DigestOpening): Promise<OpenScheme> {
  const { adapter, path, realm, warn } = opening;
  const advice = `create it with: npx platform htdigest -c ${path} "${realm}" USER`;
  const describe = (table: DigestTable): readonly string[] => describeTable(path, realm, table);
  const file = await openPasswordFile({
    adapter,
    path,
    option: 'htdigest',
    advice,
    read: (text, previous?: DigestTable) => keepOffer(readDigestTable(text, realm), previous),
    describe,
    changed: () => undefined,
    warn,
  });
  if (file.current.offered.length === 0) {
    file.close();
    throw new AuthConfigurationError(adapter, unusable(path, realm, file.current));
  }
  return {
    scheme: new DigestScheme({ ...opening, table: () => file.current }),
    warnings: describe(file.current),
    close: () => {
      file.close();
    },
  };
}

/**
 * A file in which no algorithm serves all users any more is in force all the same, or users who were taken out
 * of it would stay; what was offered before stays offered, since a challenge must offer something.
 */
function keepOffer(table: DigestTable, previous: DigestTable | undefined): DigestTable {
  return table.offered.length > 0 || !previous ? table : { ...table, offered: previous.offered };
}

/** What an operator should know of the users of a realm in a digest file. */
export function describeTable(path: string, realm: string, table: DigestTable): readonly string[] {
  const gaps = DIGEST_ALGORITHMS.map((algorithm) => ({
    algorithm,
    missing: usersWithout(table.users, algorithm),
    offered: table.offered.includes(algorithm),
  })).filter(({ missing, offered }) => missing.length > 0 && (offered || missing.length < table.users.size));
  return [
    ...describeProblems(path, table.problems),
    ...(table.users.size === 0 ? [`${path} has no user of realm "${realm}": nobody can sign in`] : []),
    ...gaps.map(({ algorithm, missing, offered }) => {
      const names = missing.slice(0, NAMED).join(', ') + (missing.length > NAMED ? ', …' : '');
      const effect = offered ? 'is offered, but these users cannot use it' : 'is not offered';
      return `${algorithm} ${effect}: ${missing.length} of ${table.users.size} users of realm "${realm}" have no line for it in ${path} (${names})`;
    }),
  ];
}

function unusable(path: string, realm: string, table: DigestTable): string {
  return table.users.size === 0
    ? `no line of ${path} is of realm "${realm}" (user:realm:hash); make the option realm and the file agree, or add a user with: npx platform htdigest ${path} "${realm}" USER`
    : `there is no algorithm for which every user of realm "${realm}" has a line in ${path}; add the missing lines with: npx platform htdigest -a ALGORITHM ${path} "${realm}" USER`;
}
