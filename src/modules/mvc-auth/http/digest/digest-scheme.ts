import { randomBytes } from 'node:crypto';
import type { AuthenticationAttempt, AuthenticationRequest } from '../../adapter';
import type { Credentials } from '../credentials';
import { toFieldText } from '../field-text';
import type { AuthenticationScheme } from '../scheme';
import { DigestAttempt, type DigestMemory } from './digest-attempt';
import { digestChallenge, opaqueOf } from './digest-challenge';
import { readDigestCredentials, type DigestCredentials } from './digest-credentials';
import type { DigestSettings } from './digest-settings';
import { hasNonceForm, issueNonce } from './nonce';
import { ProvenNonces } from './proven-nonces';
import { namesTarget } from './request-target';
import { TargetDigests } from './target-digests';

/** Digest (RFC 7616) with `qop` auth and auth-int, over the lines of a digest file. */
export class DigestScheme implements AuthenticationScheme {
  readonly name = 'Digest';
  readonly #settings: DigestSettings;
  readonly #opaque: string;
  readonly #realm: string;
  readonly #memory: DigestMemory;

  constructor(settings: DigestSettings) {
    this.#settings = settings;
    this.#realm = toFieldText(settings.realm);
    this.#opaque = opaqueOf(settings.adapter, settings.realm);
    this.#memory = {
      proven: new ProvenNonces(settings.nonceKey, settings.counts, settings.nonceTimeout),
      targets: new TargetDigests(),
      nobody: randomBytes(32).toString('hex'),
    };
  }

  challenges(stale: boolean): readonly string[] {
    const { realm, domain, qop, table, nonceKey, clock, nonceTimeout } = this.#settings;
    // One nonce serves all algorithms: counts are claimed per nonce whatever was computed with it.
    const nonce = issueNonce(nonceKey, clock(), nonceTimeout);
    const common = { realm, domain, qop, stale, nonce, opaque: this.#opaque };
    return table().offered.map((algorithm) => digestChallenge({ ...common, algorithm }));
  }

  attempt(credentials: Credentials, request: AuthenticationRequest): AuthenticationAttempt | undefined {
    const given = readDigestCredentials(credentials);
    if (!given || !this.#answersOurs(given, request)) return undefined;
    return new DigestAttempt(this.#settings, this.#memory, given, request);
  }

  #answersOurs(given: DigestCredentials, request: AuthenticationRequest): boolean {
    const { qop, table } = this.#settings;
    return (
      given.realm === this.#realm &&
      given.opaque === this.#opaque &&
      qop.includes(given.qop) &&
      table().offered.includes(given.algorithm) &&
      namesTarget(given.uri, request.target) &&
      // The body is not read for a nonce that can't be ours; the form is enough, as anyone is given nonces.
      (given.qop === 'auth' || hasNonceForm(given.nonce))
    );
  }
}
