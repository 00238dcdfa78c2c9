import { copyOf } from '../../text-copy';
import { readNonce, type NonceLife } from './nonce';

/**
 * Nonces that are known to be ours, so that their proof is not computed at every request. Only those that a right
 * digest has used are kept: strangers take up no room. Which ones are forgotten for want of it does not matter,
 * as their proof is computed again.
 */
export class ProvenNonces {
  readonly #lives = new Map<string, NonceLife>();
  readonly #key: Buffer;
  readonly #limit: number;

  /** @param limit nonces to remember */
  constructor(key: Buffer, limit = 10_000) {
    this.#key = key;
    this.#limit = limit;
  }

  /** How many nonces are remembered. */
  get size(): number {
    return this.#lives.size;
  }

  /** As {@link readNonce}; to be called only for a nonce that a right digest has used. */
  read(nonce: string): NonceLife | undefined {
    const known = this.#lives.get(nonce);
    if (known !== undefined) return known;
    const life = readNonce(this.#key, nonce);
    if (life !== undefined) this.#remember(nonce, life);
    return life;
  }

  /** For one that is over. */
  forget(nonce: string): void {
    this.#lives.delete(nonce);
  }

  #remember(nonce: string, life: NonceLife): void {
    const [oldest] = this.#lives.keys();
    if (this.#lives.size >= this.#limit && oldest !== undefined) this.#lives.delete(oldest);
    this.#lives.set(copyOf(nonce), life);
  }
}
