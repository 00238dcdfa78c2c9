import { randomBytes } from 'node:crypto';
import type { AuthenticationAttempt, AuthenticationRequest, AuthenticationScheme } from '../authentication';
import type { Credentials } from '../credentials';
import { toFieldText } from '../field-text';
import { DigestAttempt, type DigestCache } from './digest-attempt';
import { digestChallenge, opaqueOf } from './digest-challenge';
import { readDigestCredentials, type DigestCredentials } from './digest-credentials';
import type { DigestSettings } from './digest-settings';
import { hasNonceForm } from './nonce';
import { Nonces } from './nonces';
import { matchesTarget } from './request-target';
import { TargetDigests } from './target-digests';
import { VerifiedNonces } from './verified-nonces';

/** Digest (RFC 7616) with `qop` auth and auth-int. */
export class DigestScheme implements AuthenticationScheme {
  readonly name = 'Digest';
  readonly #settings: DigestSettings;
  readonly #opaque: string;
  readonly #realm: string;
  readonly #cache: DigestCache;

  constructor(settings: DigestSettings) {
    this.#settings = settings;
    this.#realm = toFieldText(settings.realm);
    this.#opaque = opaqueOf(settings.adapter, settings.realm);
    const nonces = new Nonces(settings.deployment);
    this.#cache = {
      nonces,
      verifiedNonces: new VerifiedNonces(nonces, settings.nonceTimeout),
      targetDigests: new TargetDigests(),
      unknownSecret: randomBytes(32).toString('hex'),
    };
  }

  challenges(stale: boolean): readonly string[] {
    const { realm, domain, qop, users, clock, nonceTimeout } = this.#settings;
    // One nonce serves all algorithms, as its counts are used up whatever the algorithm.
    const nonce = this.#cache.nonces.issue(clock(), nonceTimeout);
    const userhash = users.usernameOf !== undefined;
    const opaque = this.#opaque;
    return users.algorithms.map((algorithm) =>
      digestChallenge({ realm, domain, qop, stale, nonce, opaque, userhash, algorithm }),
    );
  }

  attempt(credentials: Credentials, request: AuthenticationRequest): AuthenticationAttempt | undefined {
    const digest = readDigestCredentials(credentials);
    if (!digest || !this.#answersChallenge(digest, request)) return undefined;
    return new DigestAttempt(this.#settings, this.#cache, digest, request);
  }

  #answersChallenge(digest: DigestCredentials, request: AuthenticationRequest): boolean {
    const { qop, users } = this.#settings;
    return (
      digest.realm === this.#realm &&
      digest.opaque === this.#opaque &&
      qop.includes(digest.qop) &&
      users.algorithms.includes(digest.algorithm) &&
      matchesTarget(digest.uri, request) &&
      // No body is read for a foreign nonce. Its format is enough: anyone can obtain a valid one.
      (digest.qop === 'auth' || hasNonceForm(digest.nonce))
    );
  }
}
