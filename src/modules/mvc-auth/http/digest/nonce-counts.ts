import { copyOf } from '../../text-copy';
import { CountWindow } from './count-window';

/** Where nonce counts are claimed; one for a whole deployment. */
export interface NonceClaims {
  /**
   * Claims a count of a nonce, atomically: of any number of claims of one pair exactly one is told `true`.
   * To be called only after the digest was verified, so that strangers take up no room.
   *
   * @param nc 1 to 2^32 - 1
   * @param expiresAt when the nonce ends, in milliseconds since the epoch
   */
  claim(nonce: string, nc: number, expiresAt: number): boolean | Promise<boolean>;
}

interface Entry {
  readonly window: CountWindow;
  readonly expiresAt: number;
}

/**
 * Nonce counts in the memory of one process (RFC 7616, 3.4 `nc`): a sliding window of 256 counts for each nonce
 * that a right digest has used. It outlives the adapters, which a change of configuration builds anew.
 *
 * When there is no more room, the nonces that end first are dropped, and from then on every unknown nonce that
 * ends no later than they did is refused: its client is told `stale` and tries again, and nothing passes twice.
 */
export class NonceCounts implements NonceClaims {
  readonly #entries = new Map<string, Entry>();
  readonly #limit: number;
  readonly #clock: () => number;
  #floor = -Infinity;
  #nextSweep = 0;

  /** @param options `limit`: nonces to remember, 100 000 by default; `clock`: milliseconds since the epoch */
  constructor(options: { readonly limit?: number; readonly clock?: () => number } = {}) {
    this.#limit = Math.max(1, options.limit ?? 100_000);
    this.#clock = options.clock ?? Date.now;
  }

  /** How many nonces are remembered. */
  get size(): number {
    return this.#entries.size;
  }

  claim(nonce: string, nc: number, expiresAt: number): boolean | Promise<boolean> {
    this.#forgetExpired();
    const known = this.#entries.get(nonce);
    if (known) return known.window.take(nc);
    if (expiresAt <= this.#floor) return false;
    if (this.#entries.size >= this.#limit) this.#makeRoom();
    const entry = { window: new CountWindow(), expiresAt };
    this.#entries.set(copyOf(nonce), entry);
    return entry.window.take(nc);
  }

  #forgetExpired(): void {
    const now = this.#clock();
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + 10_000;
    for (const [nonce, entry] of this.#entries) {
      if (entry.expiresAt <= now) this.#drop(nonce, entry);
    }
  }

  #makeRoom(): void {
    const byEnd = [...this.#entries].sort(([, a], [, b]) => a.expiresAt - b.expiresAt);
    for (const [nonce, entry] of byEnd.slice(0, Math.ceil(this.#limit / 4))) this.#drop(nonce, entry);
  }

  #drop(nonce: string, entry: Entry): void {
    this.#entries.delete(nonce);
    this.#floor = Math.max(this.#floor, entry.expiresAt);
  }
}
