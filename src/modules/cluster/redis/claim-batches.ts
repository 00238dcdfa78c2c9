import type { RedisLink } from './redis-link';
import { CLAIM_RESULTS, CLAIMS } from './scripts';

/** The result of a claim in Redis. */
export type ScriptResult = (typeof CLAIM_RESULTS)[number];

/** A count to claim. */
export interface BitmapClaim {
  /** The key of the bitmap. */
  readonly key: string;
  /** The bit of the count in it. */
  readonly bit: number;
  /** When the nonce expires: milliseconds since the epoch. A text, since it is the same for all counts of a nonce. */
  readonly expiresAt: string;
}

interface Waiting {
  readonly claim: BitmapClaim;
  readonly resolve: (result: ScriptResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Redis serves nothing else while a script runs. */
const MAX_BATCH = 128;

/** Sends the claims of one turn of the event loop as one command: a command costs far more than a claim. */
export class ClaimBatches {
  readonly #link: RedisLink;
  readonly #generationKey: string;
  readonly #flush = (): void => this.#sendAll();
  #waiting: Waiting[] = [];
  #generation = '';

  /** @param generationKey the key of the hash with the generation */
  constructor(link: RedisLink, generationKey: string) {
    this.#link = link;
    this.#generationKey = generationKey;
  }

  /**
   * Claims a count.
   * @param generation the same for all claims of a turn, or those before are sent at once
   * @throws DeploymentUnavailable if the link is not usable, or fails
   */
  claim(generation: string, claim: BitmapClaim): Promise<ScriptResult> {
    if (generation !== this.#generation) this.#sendAll();
    this.#generation = generation;
    return new Promise((resolve, reject) => {
      // After all requests that have arrived.
      if (this.#waiting.push({ claim, resolve, reject }) === 1) setImmediate(this.#flush);
      if (this.#waiting.length >= MAX_BATCH) this.#sendAll();
    });
  }

  #sendAll(): void {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    void this.#send(batch, this.#generation);
  }

  async #send(batch: readonly Waiting[], generation: string): Promise<void> {
    const keys = [this.#generationKey];
    const values: (string | number)[] = [generation];
    for (const { claim } of batch) {
      keys.push(claim.key);
      values.push(claim.bit, claim.expiresAt);
    }
    try {
      const results = await this.#link.run(CLAIMS, [...keys, ...values], keys.length);
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = CLAIM_RESULTS[Number((results as readonly unknown[])[at])];
        if (result === undefined) reject(new TypeError('Redis sent an unknown result of a claim.'));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
