import type { MvcEvent } from '../../../framework';
import type { SignInTarget } from '../sign-in-target';
import type { ReaderSessions } from './reader-sessions';

/** Sign-in of readers to all pages that have no target of their own. */
export function readerTarget(
  path: string,
  sessions: ReaderSessions,
  isSecure: (event: MvcEvent) => boolean,
): SignInTarget {
  return {
    path,
    accept: (event, person) => {
      const cookie = sessions.start(person, isSecure(event));
      if (cookie !== undefined) return { cookie };
      const { groups, scopes } = person;
      return {
        refusal: `Your account has ${groups.length} groups and ${scopes.length} scopes, which do not fit into a cookie of 4096 bytes. Ask the operator of the OpenID provider to send only the groups that this service needs.`,
      };
    },
  };
}
