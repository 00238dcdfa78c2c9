import type * as Jose from 'jose';
import type { AuthenticationAdapter } from '../../adapters/adapter';
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
import { hasValidDates, isBoundToKey, nameIssue, subjectOf, type ClaimNames } from '../claims';
import { jose, type KeySource, type VerificationKey } from '../keys/key-source';
import type { CredentialCache } from '../../credential-cache';
import type { JwtAlgorithm } from './algorithms';
import { readJwt, type UnverifiedJwt } from './read-jwt';

interface JwtRules {
  readonly algorithms: readonly JwtAlgorithm[];
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  /** In seconds. */
  readonly clockTolerance: number;
  readonly claims: ClaimNames;
}

export interface JwtAdapterParts {
  readonly name: string;
  readonly realm: string;
  readonly rules: JwtRules;
  readonly keys: KeySource;
  readonly verified: CredentialCache<AuthenticationResult>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const NO_FIELDS: readonly (readonly [string, string])[] = [];

/**
 * Bearer tokens that are signed JWTs (RFC 6750, RFC 7519, RFC 8725). A verified token is remembered until it expires: the
 * same token costs a hash from then on.
 */
export class JwtAdapter implements AuthenticationAdapter {
  readonly name: string;
  readonly schemes = ['Bearer'];
  readonly #challenges: readonly string[];
  readonly #parts: JwtAdapterParts;

  constructor(parts: JwtAdapterParts) {
    this.name = parts.name;
    this.#parts = parts;
    this.#challenges = [bearerChallenge(parts.realm)];
  }

  get warnings(): readonly string[] {
    return this.#parts.keys.warnings;
  }

  takes(scheme: string): boolean {
    return isBearer(scheme);
  }

  authenticate({
    authorization: [field = '', ...more],
  }: AuthenticationRequest): AuthenticationResult | Promise<AuthenticationResult> {
    if (more.length > 0) return INVALID_TOKEN;
    if (field.length > MAX_FIELD_LENGTH) return invalidToken(MALFORMED);
    const { verified, rules } = this.#parts;
    const key = verified.keyOf(field);
    const known = verified.get(key);
    if (known !== undefined) return known;
    const token = readBearerToken(field);
    const jwt = token === undefined ? undefined : readJwt(token);
    if (token === undefined || jwt === undefined) return invalidToken(MALFORMED);
    const issue = unverifiedIssue(jwt, rules);
    return issue === undefined ? this.#verify(token, jwt, key) : invalidToken(issue);
  }

  challenges(): readonly string[] {
    return this.#challenges;
  }

  dispose(): void {
    this.#parts.keys.close();
    this.#parts.verified.clear();
  }

  async #verify(token: string, { header }: UnverifiedJwt, cacheKey: string): Promise<AuthenticationResult> {
    const { keys, rules, verified, clock } = this.#parts;
    const { generation } = verified;
    const found = await keys.keysFor(header);
    for (const key of found) {
      const verdict = await verifyWith(key, token, rules, clock());
      if (verdict === 'another key') continue;
      if (verdict === 'expired') return EXPIRED_TOKEN;
      if ('issue' in verdict) return invalidToken(verdict.issue);
      const { payload } = verdict;
      const subject = subjectOf(payload, rules.claims);
      if (subject === undefined) return invalidToken(`Of the token, ${nameIssue(payload, rules.claims)}.`);
      const result: AuthenticationResult = { outcome: 'authenticated', ...subject, fields: NO_FIELDS };
      const expiresAt = ((payload.exp ?? 0) + rules.clockTolerance) * 1_000;
      // The keys may have been replaced meanwhile.
      if (verified.generation === generation) verified.add(cacheKey, result, expiresAt);
      return result;
    }
    return invalidToken('No key of the issuer verifies the signature of the token.');
  }
}

const MALFORMED =
  'The token is not a signed JWT of at most 8 KiB with a supported header: typ "JWT", "at+jwt" or none, and none of jku, x5u, jwk, crit, b64, cty, zip and enc.';

/** Returns why a token needs no key: another algorithm, or another issuer, whose tokens another adapter may verify. */
function unverifiedIssue(
  { header, claims }: UnverifiedJwt,
  { algorithms, issuer }: JwtRules,
): string | undefined {
  const allowed: readonly string[] = algorithms;
  if (!allowed.includes(header.alg)) return `The token has another "alg" than ${allowed.join(', ')}.`;
  return issuer === undefined || claims.iss === issuer
    ? undefined
    : `The token has another "iss" than ${JSON.stringify(issuer)}.`;
}

async function verifyWith(
  key: VerificationKey,
  token: string,
  { algorithms, issuer, audience, clockTolerance }: JwtRules,
  now: number,
): Promise<{ readonly payload: Jose.JWTPayload } | { readonly issue: string } | 'expired' | 'another key'> {
  const { jwtVerify, errors } = jose();
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [...algorithms],
      clockTolerance,
      currentDate: new Date(now),
      // A token that never expires could not be withdrawn.
      requiredClaims: ['exp'],
      ...(issuer === undefined ? {} : { issuer }),
      ...(audience === undefined ? {} : { audience }),
    });
    if (!hasValidDates(payload)) return { issue: INVALID_DATES };
    return isBoundToKey(payload) ? { issue: BOUND_TO_KEY } : { payload };
  } catch (error) {
    // The signature is verified before the claims are.
    if (error instanceof errors.JWTExpired) return 'expired';
    if (error instanceof errors.JWSSignatureVerificationFailed) return 'another key';
    // Its message names the claim, without its value.
    return error instanceof errors.JWTClaimValidationFailed
      ? { issue: `The claims of the token are not accepted: ${error.message}.` }
      : { issue: 'The token cannot be verified.' };
  }
}
