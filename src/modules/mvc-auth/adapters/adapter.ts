import type { MaybePromise, Problem } from '../../../framework';
import type { CredentialLocation } from '../http/credential-location';
import type {
  AuthenticationAttempt,
  AuthenticationRequest,
  AuthenticationResult,
} from '../http/authentication';

/** The client address and the host of a request. */
export interface RequestOrigin {
  /** The client's address. */
  readonly address: string;
  /** Whether the address may be that of a proxy that is not trusted to name the client. */
  readonly isAddressUnknown?: boolean;
  /** With the port, as the client wrote it, e.g. `localhost:8080`; undefined in HTTP/1.0 without `Host`. */
  readonly host: string | undefined;
}

/** A user as an adapter knows it without credentials. */
export interface KnownUser {
  readonly username: string;
  readonly groups: readonly string[];
  readonly scopes: readonly string[];
}

/** Verifies the credentials of requests and challenges clients. */
export interface AuthenticationAdapter {
  /** The configured name. */
  readonly name: string;
  /** Strongest first, e.g. `['Digest']`. */
  readonly schemes: readonly string[];
  /**
   * Where the adapter finds credentials besides `Authorization`, e.g. `[{ in: 'header', name: 'X-API-Key' }]`. It then
   * receives them in `request.credential`, whatever `takes` returns. A request with credentials in two places is
   * refused, even if all of them are correct. Query parameters are removed before the query is validated.
   */
  readonly credentials?: readonly CredentialLocation[];
  /** Whether this adapter verifies credentials of a scheme; case-insensitive. */
  takes(scheme: string): boolean;
  /**
   * Never throws because of what a client sent: that is `refused`. Rejects only when the service cannot decide now
   * (too many pending verifications, shared state unavailable).
   */
  authenticate(request: AuthenticationRequest): AuthenticationResult | Promise<AuthenticationResult>;
  /**
   * As `authenticate`, in two steps, so that failures can be counted per user: nothing expensive happens before
   * `verify()`. Returns undefined for credentials that are refused without checking a password. Without this method,
   * failures are counted per address only.
   */
  attempt?(request: AuthenticationRequest): AuthenticationAttempt | undefined;
  /**
   * Restricts the origins that may use the adapter: returns the problem for a refused origin, otherwise undefined.
   * The adapter never verifies credentials of a refused request; without another mapped adapter, the request is refused
   * even without credentials. Defaults to no restriction.
   */
  refusal?(origin: RequestOrigin): Problem | undefined;
  /**
   * Returns who correct credentials of a user would identify, for the rule tester of the admin pages; undefined for a user
   * that cannot sign in. Adapters whose users only credentials tell, such as tokens, do not have it.
   */
  lookUp?(name: string): MaybePromise<KnownUser | undefined>;
  /** Reads its files again, which the admin pages have changed: the change applies when it resolves. */
  refresh?(): Promise<void>;
  /** `WWW-Authenticate` field values, one per challenge, strongest first. */
  challenges(stale: boolean): readonly string[];
  /** Warnings for the start, e.g. users without a line for an algorithm. */
  readonly warnings: readonly string[];
  /** Releases resources, e.g. stops watching files. */
  dispose(): void | Promise<void>;
}
