import type { WeakKind } from '../../password-files/hashes/weak-hash';
import { HashingQueue } from '../../password-files/hashing-queue';
import { describeProblems } from '../../password-files/lines';
import { readPasswordTable, type PasswordTable } from '../../password-files/password-table';
import { PasswordVerifier } from '../../password-files/password-verifier';
import { VerifiedCredentials } from '../../password-files/verified-credentials';
import type { OpenScheme } from '../scheme';
import { openPasswordFile } from '../open-password-file';
import { BasicScheme } from './basic-scheme';

/** What opening Basic needs. */
export interface BasicOpening {
  readonly adapter: string;
  readonly realm: string;
  /** The password file, absolute. */
  readonly path: string;
  /** Kinds of hashes that are taken though they protect nothing. */
  readonly weak: readonly WeakKind[];
  readonly clock: () => number;
  readonly warn: (message: string) => void;
}

/** Opens the password file of Basic and builds the scheme; throws AuthConfigurationError. */
export async function openBasic(opening: BasicOpening): Promise<OpenScheme> {
  const { adapter, realm, path, weak, clock, warn } = opening;
  const verified = new VerifiedCredentials({ clock });
  const describe = (table: PasswordTable): readonly string[] => [
    ...describeProblems(path, table.problems),
    ...(table.users.size === 0 ? [`${path} has no user: nobody can sign in`] : []),
  ];
  const file = await openPasswordFile({
    adapter,
    path,
    option: 'htpasswd',
    advice: `create it with: npx platform htpasswd -c ${path} USER`,
    read: (text) => readPasswordTable(text, weak),
    describe,
    changed: () => {
      verified.clear();
    },
    warn,
  });
  const passwords = new PasswordVerifier(() => file.current, new HashingQueue(), verified);
  return {
    scheme: new BasicScheme(realm, passwords),
    warnings: describe(file.current),
    close: () => {
      file.close();
    },
  };
}
