import { describeLineIssues, digestRealms, readDigestTable, readPasswordTable } from '../../../mvc-auth';
import type { PasswordFileKind } from './password-file-kind';

/** A user in a password file, without the hash. */
interface ListedUser {
  readonly name: string;
  /** Digest only: the algorithms of the user's entries, strongest first. */
  readonly algorithms: readonly string[];
}

/** The users of a realm; the realm is null in Basic files, which have none. */
interface ListedRealm {
  readonly realm: string | null;
  readonly users: readonly ListedUser[];
}

/** The parsed content of a password file. */
export interface ListedFile {
  readonly realms: readonly ListedRealm[];
  /** Warnings with line numbers. */
  readonly warnings: readonly string[];
}

/** Lists the users of a password file. @param file its name in warnings */
export function listUsers(kind: PasswordFileKind, file: string, text: string): ListedFile {
  if (kind === 'htpasswd') {
    // Users with weak hashes are listed too: their passwords can be reset.
    const { users } = readPasswordTable(text, ['des', 'plain']);
    const { issues: problems } = readPasswordTable(text);
    const listed = [...users.keys()].map((name) => ({ name, algorithms: [] }));
    return { realms: [{ realm: null, users: listed }], warnings: describeLineIssues(file, problems) };
  }
  const realms = digestRealms(text).map((realm) => {
    const users = [...readDigestTable(text, realm).users].map(([name, secrets]) => ({
      name,
      algorithms: [...secrets.keys()],
    }));
    return { realm, users };
  });
  const problems = digestRealms(text).flatMap((realm) => readDigestTable(text, realm).issues);
  const unread = readDigestTable(text, '').issues;
  return { realms, warnings: [...new Set(describeLineIssues(file, [...unread, ...problems]))] };
}
