import { randomBytes } from 'node:crypto';
import type { AuthenticationAttempt, AuthenticationRequest, AuthenticationResult } from '../../adapter';
import { digestDigits, digestOfBytes } from '../../password-files/digest-algorithm';
import type { DigestTable } from '../../password-files/digest-table';
import { sameText } from '../../password-files/hashes/same-text';
import type { Credentials } from '../credentials';
import { toFieldText } from '../field-text';
import { REFUSED, STALE, type AuthenticationScheme } from '../scheme';
import { authenticationInfo } from './authentication-info';
import { digestChallenge, opaqueOf } from './digest-challenge';
import {
  readDigestCredentials,
  type DigestCredentials,
  type QualityOfProtection,
} from './digest-credentials';
import { digestOver, keyedText, requestDigest } from './digest-response';
import { hasNonceForm, isFresh, issueNonce, type NonceLife } from './nonce';
import type { NonceClaims } from './nonce-counts';
import { ProvenNonces } from './proven-nonces';
import { namesTarget } from './request-target';
import { TargetDigests, type TargetDigest } from './target-digests';

/** What Digest needs to know about its adapter and its deployment. */
export interface DigestSettings {
  readonly adapter: string;
  readonly realm: string;
  readonly domain: string;
  readonly qop: readonly QualityOfProtection[];
  /** Seconds for which a nonce may be used. */
  readonly nonceTimeout: number;
  readonly nonceKey: Buffer;
  readonly counts: NonceClaims;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** The users as the file has them now. */
  readonly table: () => DigestTable;
}

interface DigestUser {
  readonly username: string;
  /** Undefined for an unknown user. */
  readonly secret: string | undefined;
}

const NO_BODY = new Uint8Array();

/** Digest (RFC 7616) with `qop` auth and auth-int, over the lines of a digest file. */
export class DigestScheme implements AuthenticationScheme {
  readonly name = 'Digest';
  readonly #settings: DigestSettings;
  readonly #opaque: string;
  readonly #realm: string;
  readonly #proven: ProvenNonces;
  readonly #targets = new TargetDigests();
  /** Stands in for unknown users, so that they cost what known ones cost. */
  readonly #nobody = randomBytes(32).toString('hex');

  constructor(settings: DigestSettings) {
    this.#settings = settings;
    this.#realm = toFieldText(settings.realm);
    this.#proven = new ProvenNonces(settings.nonceKey);
    this.#opaque = opaqueOf(settings.adapter, settings.realm);
  }

  challenges(stale: boolean): readonly string[] {
    const { realm, domain, qop, table } = this.#settings;
    // One nonce serves all algorithms: counts are claimed per nonce whatever was computed with it.
    const common = { realm, domain, qop, stale, nonce: this.#issue(), opaque: this.#opaque };
    return table().offered.map((algorithm) => digestChallenge({ ...common, algorithm }));
  }

  attempt(credentials: Credentials, request: AuthenticationRequest): AuthenticationAttempt | undefined {
    const given = readDigestCredentials(credentials);
    if (!given || !this.#answersOurs(given, request)) return undefined;
    const user = this.#lookUp(given);
    return { username: user.username, verify: () => this.#verify(given, user, request) };
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

  /** A hashed name is told by its user's, so that one user's failures are counted together. */
  #lookUp(given: DigestCredentials): DigestUser {
    const { users, hashedNames } = this.#settings.table();
    const hashed = given.userhash ? hashedNames.get(given.algorithm)?.get(given.username) : undefined;
    const username = hashed ?? given.username;
    const known = given.userhash === (hashed !== undefined);
    return { username, secret: known ? users.get(username)?.get(given.algorithm) : undefined };
  }

  #verify(
    given: DigestCredentials,
    user: DigestUser,
    request: AuthenticationRequest,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    if (given.qop === 'auth') return this.#judge(given, user, request.method, undefined);
    const body = request.body?.() ?? Promise.resolve(NO_BODY);
    return body.then((bytes) => this.#judge(given, user, request.method, bytes));
  }

  #judge(
    given: DigestCredentials,
    user: DigestUser,
    method: string,
    body: Uint8Array | undefined,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const { algorithm, uri } = given;
    const keyed = keyedText(given, user.secret ?? this.#nobody.slice(0, digestDigits(algorithm)));
    // The body belongs to the one request: only what has none is remembered.
    const known = body === undefined ? this.#targets.get(algorithm, method, uri) : undefined;
    const a2 = known?.asked ?? requestDigest(algorithm, method, uri, body && digestOfBytes(algorithm, body));
    const right = sameText(digestOver(algorithm, keyed, a2), given.response);
    if (!right || user.secret === undefined) return REFUSED;
    const target =
      body === undefined ? (known ?? this.#targets.remember(algorithm, method, uri, a2)) : undefined;
    return this.#admit(user.username, given, keyed, target);
  }

  /** The digest was right: only the nonce and its count are left to judge. */
  #admit(
    username: string,
    given: DigestCredentials,
    keyed: string,
    target: TargetDigest | undefined,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const { clock, nonceTimeout, counts } = this.#settings;
    const life = this.#proven.read(given.nonce);
    if (!life) return STALE;
    if (!isFresh(life, clock(), nonceTimeout)) {
      this.#proven.forget(given.nonce);
      return STALE;
    }
    const judge = (first: boolean): AuthenticationResult =>
      first ? this.#accepted(username, given, keyed, life, target) : STALE;
    const claimed = counts.claim(given.nonce, given.count, life.expiresAt);
    return typeof claimed === 'boolean' ? judge(claimed) : claimed.then(judge);
  }

  /** With auth-int the proof is over the body of the answer too, which is not there yet. */
  #accepted(
    username: string,
    given: DigestCredentials,
    keyed: string,
    life: NonceLife,
    target: TargetDigest | undefined,
  ): AuthenticationResult {
    const { algorithm, uri } = given;
    const next = this.#wantsRenewal(given, life) ? this.#issue() : undefined;
    const proof = (a2: string): string => digestOver(algorithm, keyed, a2);
    if (target !== undefined) {
      const fields = authenticationInfo(given, proof(target.answered), next);
      return { outcome: 'authenticated', username, fields };
    }
    const overBody = (body: Uint8Array): string =>
      proof(requestDigest(algorithm, '', uri, digestOfBytes(algorithm, body)));
    return {
      outcome: 'authenticated',
      username,
      fields: [],
      fieldsOver: (body) => authenticationInfo(given, body && overBody(body), next),
    };
  }

  /**
   * From half of its life on a nonce is renewed, so that who keeps asking never meets `stale`. Not in a session
   * variant, whose key is bound to the nonce that it began with (RFC 7616, 3.4.2).
   */
  #wantsRenewal({ session }: DigestCredentials, life: NonceLife): boolean {
    const { clock, nonceTimeout } = this.#settings;
    return !session && clock() - life.issuedAt >= nonceTimeout * 500;
  }

  #issue(): string {
    const { nonceKey, clock, nonceTimeout } = this.#settings;
    return issueNonce(nonceKey, clock(), nonceTimeout);
  }
}
