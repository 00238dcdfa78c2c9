import type { DigestAlgorithm } from '../../password-files/digest-algorithm';
import { requestDigest } from './digest-response';

/** H(A2) of a request without its body, and of the answer to it. */
export interface TargetDigest {
  readonly asked: string;
  readonly answered: string;
}

/** Longer targets are not kept: the room is counted in targets. */
const LONGEST = 256;

/**
 * The part of a digest that says what is asked for: the same for every user, nonce and count, so that it is
 * remembered. To be told only of what was asked for with a right digest, so that strangers take up no room.
 */
export class TargetDigests {
  readonly #known = new Map<string, TargetDigest>();
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
    return this.#known.get(`${algorithm} ${method} ${uri}`);
  }

  /** Computes what answers need of a target, and keeps it. @param asked H(A2) of the request, known already */
  remember(algorithm: DigestAlgorithm, method: string, uri: string, asked: string): TargetDigest {
    const digest = { asked, answered: requestDigest(algorithm, '', uri) };
    if (uri.length > LONGEST) return digest;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= this.#limit && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(`${algorithm} ${method} ${uri}`, digest);
    return digest;
  }
}
