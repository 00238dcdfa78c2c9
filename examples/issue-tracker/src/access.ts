import { Problem, type AuthorizationPolicy, type Identity } from 'apidesc-platform';
import type { Database } from './tables.js';

/** Groups of config/users.htgroup. A rule that names groups permits the users in any of them. */
export const MAINTAINERS = ['@maintainers'];
export const DEVELOPERS = ['@developers', '@maintainers'];
export const MEMBERS = ['@reporters', '@developers', '@maintainers'];

/** The container name of the policy `OwnIssue`. */
export const OWN_ISSUE = 'own-issue';

/** Rules by groups know only the user; a policy also knows which issue the request is about. */
export class OwnIssue implements AuthorizationPolicy {
  readonly description = 'The reporter of the issue, and maintainers.';
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async permits({ identity, parameters }: Parameters<AuthorizationPolicy['permits']>[0]) {
    if (identity.groups.includes('maintainers')) return true;
    const issue = await this.#database
      .selectFrom('issues')
      .select('reporter')
      .where('id', '=', Number(parameters.issue_id))
      .executeTakeFirst();
    // An issue that does not exist: the operation responds with 404.
    if (issue === undefined) return true;
    return (
      issue.reporter === identity.name || 'Only the reporter of the issue and maintainers may change it.'
    );
  }
}

/** The name of a user. Operations that use it are not open to guests, unless an operator changes their rules. */
export function nameOf({ name }: Identity): string {
  if (name === null) throw new Problem(403, 'Sign in first.');
  return name;
}
