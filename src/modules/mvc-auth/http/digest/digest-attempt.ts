import type { AuthenticationAttempt, AuthenticationRequest, AuthenticationResult } from '../../adapter';
import { digestDigits, digestOfBytes } from '../../password-files/digest-algorithm';
import type { DigestTable } from '../../password-files/digest-table';
import { sameText } from '../../password-files/hashes/same-text';
import { REFUSED, STALE } from '../scheme';
import { authenticationInfo } from './authentication-info';
import type { DigestCredentials } from './digest-credentials';
import { digestOver, keyedText, requestDigest } from './digest-response';
import type { DigestSettings } from './digest-settings';
import { issueNonce } from './nonce';
import type { ProvenNonce, ProvenNonces } from './proven-nonces';
import type { TargetDigest, TargetDigests } from './target-digests';

/** What is kept from one request for the next. */
export interface DigestMemory {
  readonly proven: ProvenNonces;
  readonly targets: TargetDigests;
  /** Hexadecimal; stands in for the secret of unknown users, so that they cost what known ones cost. */
  readonly nobody: string;
}

const NO_BODY = new Uint8Array();

/** The credentials of one request, of a form that answers our challenge, while they are verified. */
export class DigestAttempt implements AuthenticationAttempt {
  readonly username: string;
  readonly #settings: DigestSettings;
  readonly #memory: DigestMemory;
  readonly #given: DigestCredentials;
  readonly #request: AuthenticationRequest;
  /** Undefined for an unknown user. */
  readonly #secret: string | undefined;

  constructor(
    settings: DigestSettings,
    memory: DigestMemory,
    given: DigestCredentials,
    request: AuthenticationRequest,
  ) {
    this.#settings = settings;
    this.#memory = memory;
    this.#given = given;
    this.#request = request;
    const table = settings.table();
    this.username = nameOf(given, table);
    // One who hashes the name is known by it, and who does not is not.
    const isKnown = !given.userhash || this.username !== given.username;
    this.#secret = isKnown ? table.users.get(this.username)?.get(given.algorithm) : undefined;
  }

  verify(): AuthenticationResult | Promise<AuthenticationResult> {
    if (this.#given.qop === 'auth') return this.#judge(undefined);
    const body = this.#request.body?.() ?? Promise.resolve(NO_BODY);
    return body.then((bytes) => this.#judge(bytes));
  }

  #judge(body: Uint8Array | undefined): AuthenticationResult | Promise<AuthenticationResult> {
    const { method } = this.#request;
    const { algorithm, uri, response } = this.#given;
    const { targets, nobody } = this.#memory;
    const keyed = keyedText(this.#given, this.#secret ?? nobody.slice(0, digestDigits(algorithm)));
    // The body belongs to the one request: only what has none is remembered.
    const known = body === undefined ? targets.get(algorithm, method, uri) : undefined;
    const a2 = known?.asked ?? requestDigest(algorithm, method, uri, body && digestOfBytes(algorithm, body));
    const right = sameText(digestOver(algorithm, keyed, a2), response);
    if (!right || this.#secret === undefined) return REFUSED;
    const target = body === undefined ? (known ?? targets.remember(algorithm, method, uri, a2)) : undefined;
    return this.#admit(keyed, target);
  }

  /** The digest was right: only the nonce and its count are left to judge. */
  #admit(
    keyed: string,
    target: TargetDigest | undefined,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const now = this.#settings.clock();
    const proven = this.#memory.proven.read(this.#given.nonce, now);
    if (proven === undefined) return STALE;
    const claimed = proven.counter.claim(this.#given.count);
    if (claimed === true) return this.#accepted(keyed, target, this.#renewal(proven, now));
    if (claimed === false) return STALE;
    return claimed.then((first) =>
      first ? this.#accepted(keyed, target, this.#renewal(proven, now)) : STALE,
    );
  }

  /** With auth-int the proof is over the body of the answer too, which is not there yet. */
  #accepted(keyed: string, target: TargetDigest | undefined, next: string | undefined): AuthenticationResult {
    const { username } = this;
    const given = this.#given;
    const { algorithm, uri } = given;
    if (target !== undefined) {
      // The nonce has been told to be ours: all of it is ASCII.
      const proof = digestOver(algorithm, keyed, target.answered, 'ascii');
      return { outcome: 'authenticated', username, fields: authenticationInfo(given, proof, next) };
    }
    const overBody = (body: Uint8Array): string =>
      digestOver(algorithm, keyed, requestDigest(algorithm, '', uri, digestOfBytes(algorithm, body)));
    return {
      outcome: 'authenticated',
      username,
      fields: [],
      fieldsOver: (body) => authenticationInfo(given, body && overBody(body), next),
    };
  }

  /**
   * The next nonce, when it is time for one. Not in a session variant, whose key is bound to the nonce that it began
   * with (RFC 7616, 3.4.2).
   */
  #renewal({ renewsAt }: ProvenNonce, now: number): string | undefined {
    const { nonceKey, nonceTimeout } = this.#settings;
    if (this.#given.session || now < renewsAt) return undefined;
    return issueNonce(nonceKey, now, nonceTimeout);
  }
}

/** A hashed name is told by its user's, so that one user's failures are counted together. */
function nameOf({ userhash, algorithm, username }: DigestCredentials, { hashedNames }: DigestTable): string {
  return (userhash ? hashedNames.get(algorithm)?.get(username) : undefined) ?? username;
}
