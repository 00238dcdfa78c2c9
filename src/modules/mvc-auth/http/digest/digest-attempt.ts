import type { ClaimResult } from '../../../../framework';
import {
  REFUSED,
  STALE,
  type AuthenticationAttempt,
  type AuthenticationRequest,
  type AuthenticationResult,
} from '../authentication';
import { equalInConstantTime } from '../constant-time';
import { authenticationInfo } from './authentication-info';
import { digestDigits, digestOfBytes } from './digest-algorithm';
import type { DigestCredentials } from './digest-credentials';
import { digestPrefix, finalDigest, requestDigest } from './digest-response';
import type { DigestSettings } from './digest-settings';
import type { Nonces } from './nonces';
import type { TargetDigest, TargetDigests } from './target-digests';
import type { VerifiedNonce, VerifiedNonces } from './verified-nonces';

/** State that requests share. */
export interface DigestCache {
  readonly nonces: Nonces;
  readonly verifiedNonces: VerifiedNonces;
  readonly targetDigests: TargetDigests;
  /** Hexadecimal; used as the secret of unknown users, so that they cost what known ones cost. */
  readonly unknownSecret: string;
}

const NO_BODY = new Uint8Array();

/** Digest credentials that answer a challenge of ours, not yet verified. */
export class DigestAttempt implements AuthenticationAttempt {
  /** Resolved from the hash where `userhash` is set, so that failures of one user are counted together. */
  readonly username: string;
  readonly #settings: DigestSettings;
  readonly #cache: DigestCache;
  readonly #digest: DigestCredentials;
  readonly #request: AuthenticationRequest;
  /** False for a `userhash` that no user has. */
  readonly #isNamed: boolean;

  constructor(
    settings: DigestSettings,
    cache: DigestCache,
    digest: DigestCredentials,
    request: AuthenticationRequest,
  ) {
    this.#settings = settings;
    this.#cache = cache;
    this.#digest = digest;
    this.#request = request;
    const { userhash, username, algorithm } = digest;
    const known = userhash ? settings.users.usernameOf?.(username, algorithm) : username;
    this.#isNamed = known !== undefined;
    this.username = known ?? username;
  }

  verify(): AuthenticationResult | Promise<AuthenticationResult> {
    if (this.#digest.qop === 'auth') return this.#verifyBody(undefined);
    const body = this.#request.body?.() ?? Promise.resolve(NO_BODY);
    return body.then((bytes) => this.#verifyBody(bytes));
  }

  /** @param body undefined for `auth`, which does not cover it */
  #verifyBody(body: Uint8Array | undefined): AuthenticationResult | Promise<AuthenticationResult> {
    // Also looked up for an unknown user, for the sake of equal timing.
    const secret = this.#settings.users.secretOf(this.username, this.#digest.algorithm, this.#request);
    return secret === undefined || typeof secret === 'string'
      ? this.#verifyDigest(secret, body)
      : secret.then((found) => this.#verifyDigest(found, body));
  }

  #verifyDigest(
    found: string | undefined,
    body: Uint8Array | undefined,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const { method } = this.#request;
    const { algorithm, uri, response } = this.#digest;
    const { targetDigests, unknownSecret } = this.#cache;
    const secret = this.#isNamed ? found : undefined;
    const prefix = digestPrefix(this.#digest, secret ?? unknownSecret.slice(0, digestDigits(algorithm)));
    // A digest that covers a body is never the same for another request.
    const cached = body === undefined ? targetDigests.get(algorithm, method, uri) : undefined;
    const a2 =
      cached?.request ?? requestDigest(algorithm, method, uri, body && digestOfBytes(algorithm, body));
    const isCorrect = equalInConstantTime(finalDigest(algorithm, prefix, a2), response);
    if (!isCorrect || secret === undefined) return REFUSED;
    const target = body === undefined ? (cached ?? targetDigests.add(algorithm, method, uri, a2)) : undefined;
    return this.#verifyNonce(prefix, target);
  }

  #verifyNonce(
    prefix: string,
    target: TargetDigest | undefined,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const now = this.#settings.clock();
    const nonce = this.#cache.verifiedNonces.read(this.#digest.nonce, now);
    if (nonce === undefined) {
      this.#cache.nonces.assertAvailable();
      return STALE;
    }
    const conclude = (result: ClaimResult): AuthenticationResult =>
      result === 'accepted' ? this.#accepted(prefix, target, this.#nextNonce(nonce, now)) : STALE;
    const claimed = nonce.counter.claim(this.#digest.count);
    return typeof claimed === 'string' ? conclude(claimed) : claimed.then(conclude);
  }

  /** With `auth-int`, `rspauth` covers the response body, which does not exist yet. */
  #accepted(
    prefix: string,
    target: TargetDigest | undefined,
    next: string | undefined,
  ): AuthenticationResult {
    const { username } = this;
    const digest = this.#digest;
    const { algorithm, uri } = digest;
    if (target !== undefined) {
      // The nonce was verified to be ours, so that the whole text is ASCII.
      const rspauth = finalDigest(algorithm, prefix, target.response, 'ascii');
      return { outcome: 'authenticated', username, fields: authenticationInfo(digest, rspauth, next) };
    }
    const rspauthOver = (body: Uint8Array): string =>
      finalDigest(algorithm, prefix, requestDigest(algorithm, '', uri, digestOfBytes(algorithm, body)));
    return {
      outcome: 'authenticated',
      username,
      fields: [],
      fieldsOver: (body) => authenticationInfo(digest, body && rspauthOver(body), next),
    };
  }

  /** Never in a session variant, whose key is bound to its first nonce (RFC 7616, 3.4.2). */
  #nextNonce({ renewsAt }: VerifiedNonce, now: number): string | undefined {
    if (this.#digest.session || now < renewsAt) return undefined;
    return this.#cache.nonces.issue(now, this.#settings.nonceTimeout);
  }
}
