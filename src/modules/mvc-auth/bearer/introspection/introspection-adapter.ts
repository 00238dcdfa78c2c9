import type { AuthenticationAdapter } from '../../adapters/adapter';
import type { PasswordHashing } from '../../passwords/password-hashing';
import type { AuthenticationRequest, AuthenticationResult } from '../../http/authentication';
import {
  bearerChallenge,
  BOUND_TO_KEY,
  EXPIRED_TOKEN,
  INVALID_DATES,
  INVALID_TOKEN,
  invalidToken,
  isBearer,
} from '../bearer-results';
import { MAX_FIELD_LENGTH, readBearerToken } from '../bearer-token';
import { hasValidDates, isBoundToKey, nameIssue, subjectOf, type ClaimNames, type Claims } from '../claims';
import { CredentialCache } from '../../credential-cache';
import type { IntrospectionClient } from './introspection-client';
import type { SharedResponses } from './shared-responses';

export interface IntrospectionParts {
  readonly name: string;
  readonly realm: string;
  readonly client: IntrospectionClient;
  /** Limits the tokens of one address about which the endpoint is asked at once. */
  readonly turns: Pick<PasswordHashing, 'run'>;
  /** What other nodes know; undefined in a process of its own. */
  readonly shared?: SharedResponses;
  readonly claims: ClaimNames;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  /** In milliseconds: how long a valid token is remembered. */
  readonly cacheTime: number;
  /** Milliseconds since the epoch, of the system: when a token expires is a point in time. */
  readonly clock: () => number;
  /** Milliseconds: how long a token is remembered must not depend on when the clock of the system is set. */
  readonly steadyClock: () => number;
}

/** In milliseconds, by which the clock of the authorization server may be ahead: that of `nbf` (RFC 7519, 4.1.5). */
const CLOCK_TOLERANCE = 5_000;

/** In milliseconds: how long a refused token is remembered. */
const REFUSED_CACHE_TIME = 10_000;

const NO_FIELDS: readonly (readonly [string, string])[] = [];

/** Bearer tokens that an authorization server knows (RFC 6750, RFC 7662). */
export class IntrospectionAdapter implements AuthenticationAdapter {
  readonly name: string;
  readonly schemes = ['Bearer'];
  readonly warnings = [];
  readonly #parts: IntrospectionParts;
  readonly #challenges: readonly string[];
  readonly #valid: CredentialCache<AuthenticationResult>;
  /** Of its own: guessed tokens do not displace valid ones. */
  readonly #refused: CredentialCache<AuthenticationResult>;
  /** By key of the cache: one request to the endpoint per token at a time. */
  readonly #pending = new Map<string, Promise<AuthenticationResult>>();

  constructor(parts: IntrospectionParts) {
    this.name = parts.name;
    this.#parts = parts;
    this.#challenges = [bearerChallenge(parts.realm)];
    this.#valid = new CredentialCache(parts.steadyClock);
    this.#refused = new CredentialCache(parts.steadyClock, 1_000);
  }

  takes(scheme: string): boolean {
    return isBearer(scheme);
  }

  authenticate({
    address,
    authorization: [field = '', ...more],
  }: AuthenticationRequest): AuthenticationResult | Promise<AuthenticationResult> {
    if (more.length > 0) return INVALID_TOKEN;
    if (field.length > MAX_FIELD_LENGTH) return invalidToken(MALFORMED);
    const key = this.#valid.keyOf(field);
    const known = this.#valid.get(key) ?? this.#refused.get(key) ?? this.#pending.get(key);
    if (known !== undefined) return known;
    const token = readBearerToken(field);
    if (token === undefined) return invalidToken(MALFORMED);
    // Never ended with the client: requests of others may wait for the same token.
    const asked = this.#parts.turns.run(() => this.#ask(token, key), { address });
    const pending = asked.finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  challenges(): readonly string[] {
    return this.#challenges;
  }

  dispose(): void {
    this.#parts.client.close();
    this.#valid.clear();
    this.#refused.clear();
  }

  async #ask(token: string, key: string): Promise<AuthenticationResult> {
    const { client, shared, cacheTime, clock, steadyClock } = this.#parts;
    const known = await shared?.find(token);
    const age = known === undefined ? Infinity : Math.max(0, clock() - known.at);
    const isFresh = known !== undefined && age < cacheTime;
    const claims = isFresh ? known.claims : await client.introspect(token);
    const result = claims === undefined ? invalidToken(INACTIVE) : this.#resultOf(claims);
    const now = clock();
    if (result.outcome !== 'authenticated') {
      this.#refused.add(key, result, steadyClock() + Math.min(cacheTime, REFUSED_CACHE_TIME));
      return result;
    }
    // No node remembers a token for longer than one that asked the server itself.
    const lifetime = Math.min(cacheTime - (isFresh ? age : 0), (expiryOf(claims) ?? Infinity) - now);
    this.#valid.add(key, result, steadyClock() + lifetime);
    if (!isFresh && claims !== undefined) void shared?.add(token, { claims, at: now }, lifetime);
    return result;
  }

  #resultOf(response: Claims): AuthenticationResult {
    const { claims, issuer, audience, clock } = this.#parts;
    const { token_type: type, iss, aud } = response;
    // Tokens of other types, such as DPoP, prove more than their possession.
    if (type !== undefined && (typeof type !== 'string' || !isBearer(type)))
      return invalidToken('The token has another "token_type" than Bearer.');
    if (issuer !== undefined && iss !== issuer) return invalidToken(another('iss', issuer));
    if (audience !== undefined && aud !== audience && !(Array.isArray(aud) && aud.includes(audience)))
      return invalidToken(another('aud', audience));
    // RFC 7662, 2.2. Whether a token whose dates cannot be read is valid now is not known.
    if (!hasValidDates(response)) return invalidToken(INVALID_DATES);
    if (isBoundToKey(response)) return invalidToken(BOUND_TO_KEY);
    if (Number(response.nbf ?? 0) * 1_000 > clock() + CLOCK_TOLERANCE)
      return invalidToken('The token is not valid yet: compare the clocks of both servers.');
    const expiry = expiryOf(response);
    if (expiry !== undefined && expiry <= clock()) return EXPIRED_TOKEN;
    const subject = subjectOf(response, claims);
    return subject === undefined
      ? invalidToken(`Of the response about the token, ${nameIssue(response, claims)}.`)
      : { outcome: 'authenticated', ...subject, fields: NO_FIELDS };
  }
}

const MALFORMED = 'The token is longer than 8 KiB, or has other characters than tokens can have.';
const INACTIVE =
  'The authorization server did not accept the token: it has expired, was revoked, or is unknown.';

function another(claim: string, accepted: string): string {
  return `The response about the token has another ${JSON.stringify(claim)} than ${JSON.stringify(accepted)}.`;
}

/** Milliseconds since the epoch. */
function expiryOf(claims: Claims | undefined): number | undefined {
  const exp = claims?.exp;
  return typeof exp === 'number' ? exp * 1_000 : undefined;
}
