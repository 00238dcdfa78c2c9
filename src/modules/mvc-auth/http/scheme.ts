import type { AuthenticationAttempt, AuthenticationRequest, AuthenticationResult } from '../adapter';
import type { Credentials } from './credentials';

/** One authentication scheme as an adapter speaks it. */
export interface AuthenticationScheme {
  /** As it is written in a challenge, e.g. `Digest`. */
  readonly name: string;
  /**
   * Reads credentials whose scheme is this one; nothing comes back for what is refused without a look at a
   * password. Never throws for what a client sent.
   */
  attempt(credentials: Credentials, request: AuthenticationRequest): AuthenticationAttempt | undefined;
  /**
   * Credentials that were right a moment ago, in this very field: what they say is known without reading them. For
   * schemes whose credentials are the same in each request.
   */
  recall?(field: string): AuthenticationAttempt | undefined;
  /** `WWW-Authenticate` field values, strongest first (RFC 9110, 11.6.1). */
  challenges(stale: boolean): readonly string[];
}

/** A scheme with the file behind it. */
export interface OpenScheme {
  readonly scheme: AuthenticationScheme;
  readonly warnings: readonly string[];
  close(): void;
}

/** The credentials are wrong; why is nobody's business. */
export const REFUSED: AuthenticationResult = Object.freeze({ outcome: 'refused', stale: false });

/** The credentials are right, the nonce is not acceptable: ask again with a new one. */
export const STALE: AuthenticationResult = Object.freeze({ outcome: 'refused', stale: true });
