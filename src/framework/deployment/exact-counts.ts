/** A request that a rate limit counts. */
export interface LimitUse {
  /** Identifies the limit and the client. */
  readonly key: string;
  /** In seconds. */
  readonly window: number;
  /** Maximum within the window. */
  readonly limit: number;
  readonly weight: number;
  /** Whether to count the request if all limits allow it; otherwise only asks. */
  readonly isCounted: boolean;
}

/** What a rate limit says. */
export interface LimitResult {
  /** Milliseconds until a request of this weight is allowed; 0 if it is now. */
  readonly wait: number;
  /** What is left, without the request. */
  readonly remaining: number;
  /** Milliseconds until more becomes available; 0 if nothing is used. */
  readonly reset: number;
}

/** The user that a sign-in names. */
interface AttemptedUser {
  /** Identifies the user and the address. */
  readonly key: string;
  /** Identifies the password without revealing it: equal ones that are being verified count once. '' for none. */
  readonly guess: string;
}

/** A sign-in that is about to be verified. */
export interface SignInUse {
  /** In seconds, from the first failure. */
  readonly window: number;
  /** Limit of failures for a user from one address. */
  readonly failures: number;
  /** Limit of failures from one address. */
  readonly perAddress: number;
  readonly address: string;
  readonly users: readonly AttemptedUser[];
}

/** Whether a sign-in failed, and the keys of users whose failures are forgotten. */
export interface SignInResult {
  readonly isFailure: boolean;
  readonly forgotten: readonly string[];
}

/** Counts that all processes of a deployment ask each time, atomically. Without them, each merges what others report. */
export interface ExactCounts {
  /** Whether they can be reached: otherwise the counts of the process apply. */
  readonly isAvailable: boolean;
  /**
   * Counts a request if all limits allow it; never rejects.
   * @returns a result for each; undefined if they cannot be reached
   */
  take(uses: readonly LimitUse[]): Promise<readonly LimitResult[] | undefined>;
  /**
   * Begins to verify a sign-in, unless there are too many failures; never rejects.
   * @returns the milliseconds to wait, 0 for none; undefined if they cannot be reached
   */
  beginSignIn(use: SignInUse): Promise<number | undefined>;
  /**
   * Ends what was begun, and counts the result; never rejects. Passwords without a guess do not count until then: if one
   * of them reached a limit meanwhile, nothing is counted. For others, nobody has to wait.
   * @returns as {@link beginSignIn}
   */
  endSignIn(use: SignInUse, result: SignInResult): Promise<number | undefined>;
}
