import { answerTo, parameterOf } from '../modules/mvc-auth/http/digest-client';

export { answerTo, parameterOf };

/** Who signs in. */
export interface User {
  readonly username: string;
  readonly password: string;
}

/** The user of the sample password files. */
const guide: User = { username: 'guide', password: 'explore' };

/** The challenge of an answer, or an error where there is none: a test that needs one must not go on. */
export function challengeOf(answer: Response): string {
  const challenge = answer.headers.get('www-authenticate');
  if (challenge === null) throw new Error(`There is no challenge in an answer ${answer.status}.`);
  return challenge;
}

/**
 * Fetches with Digest (RFC 7616), the way a browser does: asks without credentials, answers the challenge, and
 * goes on with the same nonce and a rising count. The body must be one that can be sent twice.
 *
 * @example
 * const client = new DigestClient();
 * const answer = await client.fetch(`${platform.origin}/v2/atlas/visits`);
 */
export class DigestClient {
  readonly #user: User;
  #challenge: string | undefined;
  #count = 0;

  constructor(user: User = guide) {
    this.#user = user;
  }

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
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

  /** The `Authorization` field value of the next request; a challenge must have been answered before. */
  authorization(url: string, method = 'GET'): string {
    if (this.#challenge === undefined) throw new Error('No challenge has come yet.');
    const { pathname, search } = new URL(url);
    this.#count += 1;
    return answerTo(this.#challenge, { ...this.#user, method, uri: pathname + search, nc: this.#count });
  }
}
