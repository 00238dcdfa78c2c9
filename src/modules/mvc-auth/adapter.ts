/** What an adapter sees of a request; nothing of it waits for the body. */
export interface AuthenticationRequest {
  readonly method: string;
  /** The request target exactly as received, query included. */
  readonly target: string;
  /** Every `Authorization` field line as received ([] when there is none). */
  readonly authorization: readonly string[];
  /** The peer's address. */
  readonly address: string;
  /**
   * Reads the body, for schemes whose credentials cover it. To be called only when everything else of the
   * credentials fits: a refusal waits for no body. Without it the body counts as empty.
   */
  readonly body?: () => Promise<Uint8Array>;
}

/** Response fields, e.g. `[['Authentication-Info', '…']]`. */
export type AuthenticationFields = readonly (readonly [name: string, value: string])[];

/** What an adapter found out about the credentials of one request. */
export type AuthenticationResult =
  | {
      readonly outcome: 'authenticated';
      readonly username: string;
      /** The groups that the user belongs to; none unless told. */
      readonly groups?: readonly string[];
      /** Response fields that prove the server, e.g. `Authentication-Info`. */
      readonly fields: AuthenticationFields;
      /** Further ones, which depend on the body of the answer; it is undefined where that is a stream. */
      readonly fieldsOver?: (body: Uint8Array | undefined) => AuthenticationFields;
    }
  | {
      readonly outcome: 'refused';
      /** The digest was right and only the nonce was not acceptable (RFC 7616, 3.3 `stale`). */
      readonly stale: boolean;
    };

/** Credentials of a form that an adapter answers for, before they are verified. */
export interface AuthenticationAttempt {
  /** Whom they name. For counting failures, never for trust. */
  readonly username: string;
  /**
   * What tells this guess at the password from another, where verifying takes a while: many that arrive
   * meanwhile count as failures for one another, unless they are the same.
   */
  readonly guess?: string;
  /** As {@link AuthenticationAdapter.authenticate}. */
  verify(): AuthenticationResult | Promise<AuthenticationResult>;
}

/** Verifies the credentials of requests and says what to ask clients for. */
export interface AuthenticationAdapter {
  /** The name under which it is configured. */
  readonly name: string;
  /** Schemes in the order of strength, e.g. ['Digest'] . */
  readonly schemes: readonly string[];
  /** Whether this adapter answers for credentials of that scheme (any letter case). */
  takes(scheme: string): boolean;
  /**
   * Never fails because of what a client sent: that is `refused`. A promise rejects only where the service
   * itself can't decide at the moment (too many passwords waiting, shared state out of reach).
   */
  authenticate(request: AuthenticationRequest): AuthenticationResult | Promise<AuthenticationResult>;
  /**
   * The same in two steps, so that failures can be counted for each user: nothing costly happens before
   * `verify()`. Undefined for what is refused without a look at a password. The failures of an adapter that
   * does not have it are counted for the address alone.
   */
  attempt?(request: AuthenticationRequest): AuthenticationAttempt | undefined;
  /** `WWW-Authenticate` field values, one per challenge, strongest first. */
  challenges(stale: boolean): readonly string[];
  /** What this adapter wants said at start (e.g. users without a line for an algorithm). */
  readonly warnings: readonly string[];
  /** Stops watching files. */
  dispose(): void | Promise<void>;
}
