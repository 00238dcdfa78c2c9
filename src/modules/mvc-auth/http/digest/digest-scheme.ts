import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthenticationRequest, AuthenticationResult } from '../../adapter';
import { digestDigits } from '../../password-files/digest-algorithm';
import type { DigestTable } from '../../password-files/digest-table';
import type { Credentials } from '../credentials';
import { quoted, toFieldText } from '../field-text';
import { REFUSED, STALE, type AuthenticationScheme } from '../scheme';
import { digestChallenge, opaqueOf } from './digest-challenge';
import { readDigestCredentials, type DigestCredentials } from './digest-credentials';
import { digestResponse, serverProof, type DigestInput } from './digest-response';
import { isFresh, issueNonce, readNonce, type NonceLife } from './nonce';
import type { NonceClaims } from './nonce-counts';
import { namesTarget } from './request-target';

/** What Digest needs to know about its adapter and its deployment. */
export interface DigestSettings {
  readonly adapter: string;
  readonly realm: string;
  readonly domain: string;
  /** Seconds for which a nonce may be used. */
  readonly nonceTimeout: number;
  readonly nonceKey: Buffer;
  readonly counts: NonceClaims;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** The users as the file has them now. */
  readonly table: () => DigestTable;
}

/** Digest (RFC 7616) with `qop=auth`, over the lines of a digest file. */
export class DigestScheme implements AuthenticationScheme {
  readonly name = 'Digest';
  readonly #settings: DigestSettings;
  readonly #opaque: string;
  readonly #realm: string;
  /** Stands in for unknown users, so that they cost what known ones cost. */
  readonly #nobody = randomBytes(32).toString('hex');

  constructor(settings: DigestSettings) {
    this.#settings = settings;
    this.#realm = toFieldText(settings.realm);
    this.#opaque = opaqueOf(settings.adapter, settings.realm);
  }

  challenges(stale: boolean): readonly string[] {
    const { realm, domain } = this.#settings;
    // One nonce serves all algorithms: counts are claimed per nonce whatever was computed with it.
    const nonce = this.#issue();
    const opaque = this.#opaque;
    return this.#settings
      .table()
      .offered.map((algorithm) => digestChallenge({ realm, domain, nonce, opaque, algorithm, stale }));
  }

  authenticate(
    credentials: Credentials,
    request: AuthenticationRequest,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const given = readDigestCredentials(credentials);
    if (!given || !this.#answersOurs(given, request)) return REFUSED;
    const user = this.#lookUp(given);
    const input: DigestInput = {
      ...given,
      secret: user?.secret ?? this.#nobody.slice(0, digestDigits(given.algorithm)),
      method: request.method,
    };
    const right = timingSafeEqual(Buffer.from(digestResponse(input)), Buffer.from(given.response));
    if (!right || user === undefined) return REFUSED;
    return this.#admit(user.username, given, input);
  }

  #answersOurs(given: DigestCredentials, request: AuthenticationRequest): boolean {
    return (
      given.realm === this.#realm &&
      given.opaque === this.#opaque &&
      this.#settings.table().offered.includes(given.algorithm) &&
      namesTarget(given.uri, request.target)
    );
  }

  #lookUp(given: DigestCredentials): { readonly username: string; readonly secret: string } | undefined {
    const table = this.#settings.table();
    const username = given.userhash
      ? table.hashedNames.get(given.algorithm)?.get(given.username)
      : given.username;
    const secret = username === undefined ? undefined : table.users.get(username)?.get(given.algorithm);
    return username === undefined || secret === undefined ? undefined : { username, secret };
  }

  /** The digest was right: only the nonce and its count are left to judge. */
  #admit(
    username: string,
    given: DigestCredentials,
    input: DigestInput,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const { nonceKey, clock, nonceTimeout, counts } = this.#settings;
    const life = readNonce(nonceKey, given.nonce);
    if (!life || !isFresh(life, clock(), nonceTimeout)) return STALE;
    const judge = (first: boolean): AuthenticationResult =>
      first
        ? { outcome: 'authenticated', username, fields: [['Authentication-Info', this.#info(input, life)]] }
        : STALE;
    const claimed = counts.claim(given.nonce, Number.parseInt(given.nc, 16), life.expiresAt);
    return typeof claimed === 'boolean' ? judge(claimed) : claimed.then(judge);
  }

  /** `Authentication-Info` (RFC 7616, 3.5; RFC 7615). */
  #info(input: DigestInput, life: NonceLife): string {
    const next = this.#wantsRenewal(input, life) ? [`nextnonce=${quoted(this.#issue())}`] : [];
    return [
      `rspauth=${quoted(serverProof(input))}`,
      `qop=${input.qop}`,
      `cnonce=${quoted(input.cnonce)}`,
      `nc=${input.nc}`,
      ...next,
    ].join(', ');
  }

  /**
   * From half of its life on a nonce is renewed, so that who keeps asking never meets `stale`. Not in a session
   * variant, whose key is bound to the nonce that it began with (RFC 7616, 3.4.2).
   */
  #wantsRenewal(input: DigestInput, life: NonceLife): boolean {
    const { clock, nonceTimeout } = this.#settings;
    return !input.session && clock() - life.issuedAt >= nonceTimeout * 500;
  }

  #issue(): string {
    const { nonceKey, clock, nonceTimeout } = this.#settings;
    return issueNonce(nonceKey, clock(), nonceTimeout);
  }
}
