import { type Claims, subjectOf } from '../mvc-auth';
import type { OpenidSettings } from './settings';

/** A user that the provider has authenticated. */
export interface Person {
  /** From the configured claim. */
  readonly name: string;
  /** Identifies the user at the provider permanently (`sub`; OpenID Connect Core 1.0, 2). */
  readonly subject: string;
  readonly groups: readonly string[];
  readonly scopes: readonly string[];
}

/** The claims of a user, and the scope of the token response (RFC 6749, 5.1). */
export interface SignInClaims {
  readonly claims: Claims;
  readonly scope: string | undefined;
}

/** Returns undefined without a usable name. */
export function personOf(
  { claims, scope }: SignInClaims,
  { nameClaim, groupsClaim, scopes }: Pick<OpenidSettings, 'nameClaim' | 'groupsClaim' | 'scopes'>,
): Person | undefined {
  // Without `scope` in the response, the requested ones are granted.
  const granted = { scope: scope ?? scopes.join(' '), ...claims };
  const subject = subjectOf(granted, { name: nameClaim, groups: groupsClaim, scope: 'scope' });
  if (subject === undefined || typeof claims.sub !== 'string') return undefined;
  const { username, groups, scopes: own } = subject;
  return { name: username, subject: claims.sub, groups, scopes: own };
}
