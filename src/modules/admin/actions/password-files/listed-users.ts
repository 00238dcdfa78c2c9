import { describeProblems, digestRealms, readDigestTable, readPasswordTable } from '../../../mvc-auth';
import type { PasswordFileKind } from './password-file-kind';

/** A user in a password file; of the hash nobody is told. */
interface ListedUser {
  readonly name: string;
  /** Of Digest: those that the user has a line for, strongest first. */
  readonly algorithms: readonly string[];
}

/** The users of a realm in a digest file; those of a password file, which has no realms, are of the realm null. */
interface ListedRealm {
  readonly realm: string | null;
  readonly users: readonly ListedUser[];
}

/** What a password file says. */
export interface ListedFile {
  readonly realms: readonly ListedRealm[];
  /** What somebody should look at, with the number of the line. */
  readonly warnings: readonly string[];
}

/** @param file how warnings name it */
export function listUsers(kind: PasswordFileKind, file: string, text: string): ListedFile {
  if (kind === 'htpasswd') {
    // Passwords that only some adapter takes are listed all the same: they can be set anew.
    const { users } = readPasswordTable(text, ['des', 'plain']);
    const { problems } = readPasswordTable(text);
    const listed = [...users.keys()].map((name) => ({ name, algorithms: [] }));
    return { realms: [{ realm: null, users: listed }], warnings: describeProblems(file, problems) };
  }
  const realms = digestRealms(text).map((realm) => {
    const users = [...readDigestTable(text, realm).users].map(([name, secrets]) => ({
      name,
      algorithms: [...secrets.keys()],
    }));
    return { realm, users };
  });
  const problems = digestRealms(text).flatMap((realm) => readDigestTable(text, realm).problems);
  const unread = readDigestTable(text, '').problems;
  return { realms, warnings: [...new Set(describeProblems(file, [...unread, ...problems]))] };
}
