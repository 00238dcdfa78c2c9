import type { MaybePromise } from '../../../framework';
import type { AuthenticationScheme } from '../http/authentication';
import { BasicScheme } from '../http/basic/basic-scheme';
import { describeLineIssues } from '../password-files/lines';
import { readPasswordTable, type PasswordTable } from '../password-files/password-table';
import { PasswordTableStore } from '../password-files/password-table-store';
import type { WeakKind } from '../passwords/hashes/weak-hash';
import type { PasswordHashing } from '../passwords/password-hashing';
import { PasswordVerifier } from '../passwords/password-verifier';
import { VerifiedCredentials } from '../passwords/verified-credentials';
import { openPasswordFile } from './open-password-file';

/** A scheme over a watched file, a table or a service. */
export interface OpenScheme {
  readonly scheme: AuthenticationScheme;
  /** Whether a user can sign in; missing if only passwords tell. */
  readonly has?: (username: string) => MaybePromise<boolean>;
  readonly warnings: readonly string[];
  close(): void;
}

export interface OpenBasicOptions {
  readonly adapter: string;
  readonly realm: string;
  /** Absolute path of the password file. */
  readonly path: string;
  /** Kinds of hashes to accept though they offer no protection. */
  readonly weak: readonly WeakKind[];
  readonly hashing: PasswordHashing;
  readonly clock: () => number;
  readonly warn: (message: string) => void;
}

/** Opens Basic over a password file. @throws AuthConfigurationError */
export async function openBasic(options: OpenBasicOptions): Promise<OpenScheme> {
  const { adapter, realm, path, weak, hashing, clock, warn } = options;
  const describe = (table: PasswordTable): readonly string[] => [
    ...describeLineIssues(path, table.issues),
    ...(table.users.size === 0 ? [`${path} has no user: nobody can sign in`] : []),
  ];
  const store = new PasswordTableStore();
  const file = await openPasswordFile({
    adapter,
    path,
    option: 'htpasswd',
    advice: `create it with: npx apidesc-platform htpasswd -c ${path} USER`,
    read: (text) => readPasswordTable(text, weak),
    describe,
    changed: (table) => store.replace(table),
    warn,
  });
  store.replace(file.current);
  const passwords = new PasswordVerifier(store, hashing, new VerifiedCredentials({ clock }));
  return {
    scheme: new BasicScheme(realm, passwords),
    has: (username) => file.current.users.has(username),
    warnings: describe(file.current),
    close: () => {
      passwords.dispose();
      file.close();
    },
  };
}
