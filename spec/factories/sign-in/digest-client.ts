import { answerTo, parameterOf } from '../../modules/mvc-auth/http/digest-client';

export { answerTo, parameterOf };

/** The user that signs in. */
export interface User {
  readonly username: string;
  readonly password: string;
}

/** The user of the sample password files. */
const guide: User = { username: 'guide', password: 'explore' };

/** The challenge of a response. Throws when there is none: a test that needs one must not continue. */
export function challengeOf(answer: Response): string {
  const challenge = answer.headers.get('www-authenticate');
  if (challenge === null) throw new Error(`There is no challenge in an answer ${answer.status}.`);
  return challenge;
}

/**
 * Fetches with Digest (RFC 7616) like a browser: sends a request without credentials, responds to the challenge, and
 * continues with the same nonce and an increasing count. The body must be repeatable.
 *
 * @example
 * const client = new DigestClient();
 * const response = await client.fetch(`${platform.origin}/v2/atlas/visits`);
 */
export class DigestClient {
  readonly #user: User;
  #challenge: string | undefined;
  #count = 0;

  constructor(user: User = guide) {
    this.#user = user;
  }

  async fetch(given: string, init: RequestInit = {}): Promise<Response> {
    // From version 24 on, Node.js sends the question mark of an empty query.
    const url = given.replace(/\?$/, '');
    if (this.#challenge === undefined) {
      const refused = await fetch(url, init);
      if (refused.status !== 401) return refused;
      await refused.arrayBuffer();
      const challenges = challengeOf(refused);
      this.#challenge = challenges.slice(challenges.indexOf('Digest '));
    }
    const headers = new Headers(init.headers);
    headers.set('Authorization', this.authorization(url, init.method));
    return fetch(url, { ...init, headers });
  }

  /** The `Authorization` header of the next request; requires an earlier challenge. */
  authorization(url: string, method = 'GET'): string {
    if (this.#challenge === undefined) throw new Error('No challenge has come yet.');
    const { pathname, search } = new URL(url);
    this.#count += 1;
    return answerTo(this.#challenge, { ...this.#user, method, uri: pathname + search, nc: this.#count });
  }
}
