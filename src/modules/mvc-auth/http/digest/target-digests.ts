import { detachString } from '../detach-string';
import type { DigestAlgorithm } from './digest-algorithm';
import { requestDigest } from './digest-response';

/** H(A2) of a request without its body, and of its response (`rspauth`). */
export interface TargetDigest {
  readonly request: string;
  readonly response: string;
}

/** Longer targets are not cached, as the limit counts targets. */
const MAX_LENGTH = 256;

interface Entry extends TargetDigest {
  readonly algorithm: DigestAlgorithm;
  readonly method: string;
}

/**
 * Caches H(A2) by target, for the method and algorithm last used with it; it is the same for every user, nonce and
 * count. Add targets only after a digest for them was verified, so that nobody else can fill the cache.
 */
export class TargetDigests {
  // Keyed by the target alone: concatenating a key at every request costs more than an occasional hash.
  readonly #entries = new Map<string, Entry>();
  readonly #limit: number;

  /** @param limit of targets */
  constructor(limit = 1000) {
    this.#limit = limit;
  }

  /** The number of targets. */
  get size(): number {
    return this.#entries.size;
  }

  get(algorithm: DigestAlgorithm, method: string, uri: string): TargetDigest | undefined {
    const entry = this.#entries.get(uri);
    return entry?.algorithm === algorithm && entry.method === method ? entry : undefined;
  }

  /** Computes the response digest of a target and caches both. @param request H(A2) of the request */
  add(algorithm: DigestAlgorithm, method: string, uri: string, request: string): TargetDigest {
    const digest = { request, response: requestDigest(algorithm, '', uri), algorithm, method };
    if (uri.length > MAX_LENGTH) return digest;
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= this.#limit && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(this.#entries.has(uri) ? uri : detachString(uri), digest);
    return digest;
  }
}
