import type { ClientCertificate } from '../../../framework';
import type { ChallengeParameters } from './challenge-parameters';
import type { SentCredential } from './credential-location';
import type { Credentials } from './credentials';

/** What authentication reads of a request. Only `body()` waits for the body. */
export interface AuthenticationRequest {
  readonly method: string;
  /** The request target exactly as received, query included. */
  readonly target: string;
  /** Every `Authorization` field line as received; `[]` without one. */
  readonly authorization: readonly string[];
  /**
   * The credentials of a request that has them in one of the places that the adapter names in `credentials`;
   * `authorization` is empty then.
   */
  readonly credential?: SentCredential | undefined;
  /** The host and port that the client requested, for schemes whose credentials name the authority. */
  readonly host?: string | undefined;
  /** The client's address. */
  readonly address: string;
  /** The verified certificate of the client's connection. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Aborted when the client disconnects: pending work can be dropped. */
  readonly signal?: AbortSignal;
  /**
   * Reads the body, for schemes whose credentials cover it. Call it only when everything else about the credentials
   * is valid, so that a refusal waits for no body. Without it the body counts as empty.
   */
  readonly body?: () => Promise<Uint8Array>;
}

/** Response fields, e.g. `[['Authentication-Info', '…']]`. */
export type AuthenticationFields = readonly (readonly [name: string, value: string])[];

/** The outcome of verifying the credentials of one request. */
export type AuthenticationResult =
  | {
      readonly outcome: 'authenticated';
      readonly username: string;
      /** The groups of the user; defaults to none. */
      readonly groups?: readonly string[];
      /** What the credentials allow, e.g. the scopes of a token; defaults to nothing. */
      readonly scopes?: readonly string[];
      /** Response fields that authenticate the server, e.g. `Authentication-Info`. */
      readonly fields: AuthenticationFields;
      /** Further fields that depend on the response body, which is undefined for a stream. */
      readonly fieldsOver?: (body: Uint8Array | undefined) => AuthenticationFields;
    }
  | {
      readonly outcome: 'refused';
      /**
       * Whether the credentials were genuine, and only too old: the nonce of a correct digest (RFC 7616, 3.3 `stale`), or
       * an expired token. Not counted as a guess.
       */
      readonly stale: boolean;
      /** Further parameters of the adapter's challenges, e.g. `{ error: 'invalid_token' }`. */
      readonly challenge?: ChallengeParameters;
      /**
       * Why, as a sentence for the log, which has each reason once in 10 minutes: without anything that the client sent.
       * Never whether a user exists: writing the line takes time.
       */
      readonly reason?: string;
    };

/** Well-formed credentials for an adapter or scheme, before they are verified. */
export interface AuthenticationAttempt {
  /** The user that the credentials name. For counting failures, never for trust. */
  readonly username: string;
  /**
   * Identifies the guessed password where verification is slow: different guesses that are pending at the same time
   * count as failures for one another, equal ones do not.
   */
  readonly guess?: string;
  /** Never rejects because of what a client sent: that is `refused`. */
  verify(): AuthenticationResult | Promise<AuthenticationResult>;
}

/** An HTTP authentication scheme (RFC 9110, 11). */
export interface AuthenticationScheme {
  /** As written in a challenge, e.g. `Digest`. */
  readonly name: string;
  /** Parses credentials of this scheme. Returns undefined for those that are refused without checking a password. */
  attempt(credentials: Credentials, request: AuthenticationRequest): AuthenticationAttempt | undefined;
  /**
   * Recognizes a field whose credentials were verified recently, without parsing it. For schemes whose credentials
   * are the same in every request.
   */
  recall?(field: string): AuthenticationAttempt | undefined;
  /** `WWW-Authenticate` field values, strongest first (RFC 9110, 11.6.1). */
  challenges(stale: boolean): readonly string[];
}

/** The credentials are wrong; the response does not say why. */
export const REFUSED: AuthenticationResult = Object.freeze({ outcome: 'refused', stale: false });

/** The digest is correct, but the nonce is not acceptable: the client retries with a new one. */
export const STALE: AuthenticationResult = Object.freeze({ outcome: 'refused', stale: true });
