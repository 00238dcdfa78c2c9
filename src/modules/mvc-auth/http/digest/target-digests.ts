import type { DigestAlgorithm } from '../../password-files/digest-algorithm';
import { copyOf } from '../../text-copy';
import { requestDigest } from './digest-response';

/** H(A2) of a request without its body, and of the answer to it. */
export interface TargetDigest {
  readonly asked: string;
  readonly answered: string;
}

/** Longer targets are not kept: the room is counted in targets. */
const LONGEST = 256;

interface Known extends TargetDigest {
  readonly algorithm: DigestAlgorithm;
  readonly method: string;
}

/**
 * The part of a digest that says what is asked for: the same for every user, nonce and count, so that it is
 * remembered, for the method and algorithm that a target was last asked for with. To be told only of what was asked for
 * with a right digest, so that strangers take up no room.
 */
export class TargetDigests {
  // By the target alone: to put a key together for every request costs more than a hash now and then.
  readonly #known = new Map<string, Known>();
  readonly #limit: number;

  /** @param limit targets to remember */
  constructor(limit = 1000) {
    this.#limit = limit;
  }

  /** How many targets are remembered. */
  get size(): number {
    return this.#known.size;
  }

  /** What is remembered of a target. */
  get(algorithm: DigestAlgorithm, method: string, uri: string): TargetDigest | undefined {
    const known = this.#known.get(uri);
    return known?.algorithm === algorithm && known.method === method ? known : undefined;
  }

  /** Computes what answers need of a target, and keeps it. @param asked H(A2) of the request, known already */
  remember(algorithm: DigestAlgorithm, method: string, uri: string, asked: string): TargetDigest {
    const digest = { asked, answered: requestDigest(algorithm, '', uri), algorithm, method };
    if (uri.length > LONGEST) return digest;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= this.#limit && oldest !== undefined) this.#known.delete(oldest);
    // A target that is there keeps its text.
    this.#known.set(this.#known.has(uri) ? uri : copyOf(uri), digest);
    return digest;
  }
}
