/** What an adapter sees of a request; nothing of it waits for the body. */
export interface AuthenticationRequest {
  readonly method: string;
  /** The request target exactly as received, query included. */
  readonly target: string;
  /** Every `Authorization` field line as received ([] when there is none). */
  readonly authorization: readonly string[];
  /** The peer's address, for throttling. */
  readonly address: string;
}

/** What an adapter found out about the credentials of one request. */
export type AuthenticationResult =
  | {
      readonly outcome: 'authenticated';
      readonly username: string;
      /** Response fields that prove the server, e.g. `Authentication-Info`. */
      readonly fields: readonly (readonly [name: string, value: string])[];
    }
  | {
      readonly outcome: 'refused';
      /** The digest was right and only the nonce was not acceptable (RFC 7616, 3.3 `stale`). */
      readonly stale: boolean;
    };

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
  /** `WWW-Authenticate` field values, one per challenge, strongest first. */
  challenges(stale: boolean): readonly string[];
  /** What this adapter wants said at start (e.g. users without a line for an algorithm). */
  readonly warnings: readonly string[];
  /** Stops watching files. */
  dispose(): void | Promise<void>;
}
