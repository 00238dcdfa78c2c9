import {
  authorizationFor,
  parseChallenges,
  protectionOf,
  strongestChallenge,
  type Challenge,
} from '../../templates/assets/documentation/digest.js';
import { octetsOf } from '../../templates/assets/documentation/octets.js';

export type Scheme = 'basic' | 'digest';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A request as Digest covers it. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** Returns the body that is sent. */
  readonly body: () => Promise<Uint8Array>;
}

/** A challenge that is answered by several requests. */
export class Session {
  readonly #challenge: Challenge;
  readonly #cnonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (one) =>
    one.toString(16).padStart(2, '0'),
  ).join('');
  #nonce: string | undefined;
  #count = 0;

  private constructor(challenge: Challenge) {
    this.#challenge = challenge;
    this.#nonce = challenge.parameters.nonce;
  }

  /** Returns a session for the strongest challenge of a 401, Digest before Basic; undefined if none is supported. */
  static from(response: Response, schemes: readonly Scheme[]): Session | undefined {
    const challenges = parseChallenges(response.headers.get('www-authenticate') ?? '');
    const digest = schemes.includes('digest') ? strongestChallenge(challenges) : undefined;
    const basic = schemes.includes('basic') ? challenges.find(({ scheme }) => scheme === 'basic') : undefined;
    const chosen = digest ?? basic;
    return chosen === undefined ? undefined : new Session(chosen);
  }

  /** Whether the server refused only the age of a nonce: the credentials may be right. */
  get isStale(): boolean {
    return this.#challenge.parameters.stale?.toLowerCase() === 'true';
  }

  /** Returns the `Authorization` of a request. Each call has its own count. */
  async authorize(
    { username, password }: Credentials,
    { method, url, body }: SignedRequest,
  ): Promise<string> {
    if (this.#challenge.scheme === 'basic') return `Basic ${btoa(octetsOf(`${username}:${password}`))}`;
    const nonce = this.#nonce;
    const count = ++this.#count;
    const challenge = { ...this.#challenge, parameters: { ...this.#challenge.parameters, nonce } };
    const covered = protectionOf(challenge) === 'auth-int' ? await body() : undefined;
    const signature = {
      user: username,
      password,
      method,
      uri: url.pathname + url.search,
      count,
      cnonce: this.#cnonce,
    };
    return authorizationFor(challenge, { ...signature, body: covered });
  }

  /** Continues with the nonce of `Authentication-Info` (RFC 7616, 3.5), if there is one. */
  follow(response: Response): void {
    const [, next] =
      /(?:^|[\s,])nextnonce\s*=\s*"([^"]*)"/i.exec(response.headers.get('authentication-info') ?? '') ?? [];
    if (next === undefined || next === this.#nonce) return;
    this.#nonce = next;
    this.#count = 0;
  }
}
