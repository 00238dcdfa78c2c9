/**
 * The result of claiming a nonce count: `used` was accepted before, or is too old to know; `stale` belongs to another
 * generation, or to a nonce that has expired.
 */
export type ClaimResult = 'accepted' | 'used' | 'stale';

/** A nonce whose digest was verified. */
export interface IssuedNonce {
  /** Not a part of a longer text, which the store would keep in memory with it. */
  readonly nonce: string;
  /** Milliseconds since the epoch, by {@link DeploymentState.now}. */
  readonly expiresAt: number;
  /** Milliseconds. Of nonces of one lifetime, those that are issued later expire later. */
  readonly lifetime: number;
  /** The generation in which it was issued. */
  readonly generation: string;
}

/** The counts of one nonce. */
export interface NonceCounter {
  /**
   * Claims a count, atomically: of concurrent calls in the deployment for one count, at most one is `accepted`.
   *
   * Throws or rejects with {@link DeploymentUnavailable} if the state is out of reach.
   *
   * @param count 1 to 2^32 - 1
   */
  claim(count: number): ClaimResult | Promise<ClaimResult>;
}

/**
 * State that the processes of a deployment share: memory of the only process, or a store that all of them reach. What
 * needs no coordination does not belong here.
 */
export interface DeploymentState {
  /**
   * A random value that changes whenever claims may have been lost, as when a store restarts empty. Nonces are bound to
   * it: those of another generation are stale, so that no count is accepted twice.
   */
  readonly generation: string;
  /** Milliseconds since the epoch by the clock of the deployment, which measures the lifetimes of nonces. */
  now(): number;
  /**
   * Returns the counter of a nonce. Call it only after a digest with the nonce was verified, so that nobody else can
   * fill the store.
   */
  counterFor(nonce: IssuedNonce): NonceCounter;
  /** Throws {@link DeploymentUnavailable} while no count can be claimed; omitted where they always can. */
  assertAvailable?(): void;
}

/** The shared state is out of reach: what needs it responds with 503, everything else continues. */
export class DeploymentUnavailable extends Error {
  override readonly name = 'DeploymentUnavailable';
  /** Seconds after which to try again. */
  readonly retryAfter = 1;
}
