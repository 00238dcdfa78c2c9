import { copyOf } from '../../text-copy';
import { isFresh, readNonce } from './nonce';
import type { NonceClaims, NonceCounter } from './nonce-counts';

/** A nonce of ours that a right digest has used. */
export interface ProvenNonce {
  /** Milliseconds since the epoch, from which on it may not be used. */
  readonly endsAt: number;
  /** Those from which on its client is given the next one: from half of its life on, who keeps asking never meets `stale`. */
  readonly renewsAt: number;
  readonly counter: NonceCounter;
}

/**
 * Nonces that are known to be ours, so that neither their proof is computed nor their counter looked for at every
 * request. Only those that a right digest has used are kept: strangers take up no room. Which ones are forgotten for
 * want of it does not matter, as their proof is computed again.
 */
export class ProvenNonces {
  readonly #known = new Map<string, ProvenNonce>();
  readonly #key: Buffer;
  readonly #counts: NonceClaims;
  readonly #lifetime: number;
  readonly #limit: number;

  /**
   * @param lifetime seconds for which a nonce may be used, as configured now
   * @param limit nonces to remember
   */
  constructor(key: Buffer, counts: NonceClaims, lifetime: number, limit = 10_000) {
    this.#key = key;
    this.#counts = counts;
    this.#lifetime = lifetime;
    this.#limit = limit;
  }

  /** How many nonces are remembered. */
  get size(): number {
    return this.#known.size;
  }

  /**
   * A nonce of ours that may still be used; nothing for any other. To be called only for one that a right digest has
   * used.
   *
   * @param now milliseconds since the epoch
   */
  read(nonce: string, now: number): ProvenNonce | undefined {
    const known = this.#known.get(nonce);
    if (known === undefined) return this.#prove(nonce, now);
    if (now < known.endsAt) return known;
    this.#known.delete(nonce);
    return undefined;
  }

  #prove(nonce: string, now: number): ProvenNonce | undefined {
    const lifetime = this.#lifetime;
    const life = readNonce(this.#key, nonce);
    if (life === undefined || !isFresh(life, now, lifetime)) return undefined;
    const { issuedAt, expiresAt } = life;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= this.#limit && oldest !== undefined) this.#known.delete(oldest);
    const proven = {
      endsAt: Math.min(expiresAt, issuedAt + lifetime * 1000),
      renewsAt: issuedAt + lifetime * 500,
      counter: this.#counts.counterOf(nonce, expiresAt),
    };
    this.#known.set(copyOf(nonce), proven);
    return proven;
  }
}
