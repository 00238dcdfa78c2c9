import type { NonceCounter } from '../../../../framework';
import { detachString } from '../detach-string';
import { isFresh } from './nonce';
import type { Nonces } from './nonces';

/** A nonce that was issued here and used with a correct digest. */
export interface VerifiedNonce {
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** When its client gets the next one: at half the lifetime, so that active clients never get `stale`. */
  readonly renewsAt: number;
  readonly counter: NonceCounter;
}

/**
 * Caches verified nonces, to save their HMAC and the lookup of their counter at every request. Only nonces with a
 * correct digest are added, so that nobody else can fill the cache; evicted ones are verified again.
 */
export class VerifiedNonces {
  readonly #known = new Map<string, VerifiedNonce>();
  readonly #nonces: Nonces;
  readonly #lifetime: number;
  readonly #limit: number;

  /**
   * @param lifetime of nonces in seconds, as configured now
   * @param limit of cached nonces
   */
  constructor(nonces: Nonces, lifetime: number, limit = 10_000) {
    this.#nonces = nonces;
    this.#lifetime = lifetime;
    this.#limit = limit;
  }

  /** The number of cached nonces. */
  get size(): number {
    return this.#known.size;
  }

  /**
   * Returns a nonce that may still be used; undefined for any other. Call it only after the digest was verified.
   *
   * @param now milliseconds since the epoch
   */
  read(nonce: string, now: number): VerifiedNonce | undefined {
    const known = this.#known.get(nonce);
    if (known === undefined) return this.#verify(nonce, now);
    if (now < known.endsAt) return known;
    this.#known.delete(nonce);
    return undefined;
  }

  #verify(nonce: string, now: number): VerifiedNonce | undefined {
    const lifetime = this.#lifetime;
    const times = this.#nonces.read(nonce);
    if (times === undefined || !isFresh(times, now, lifetime)) return undefined;
    const { issuedAt, expiresAt } = times;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= this.#limit && oldest !== undefined) this.#known.delete(oldest);
    const detached = detachString(nonce);
    const endsAt = Math.min(expiresAt, issuedAt + lifetime * 1000);
    const verified = {
      endsAt,
      renewsAt: (issuedAt + endsAt) / 2,
      counter: this.#nonces.counterFor(detached, times),
    };
    this.#known.set(detached, verified);
    return verified;
  }
}
