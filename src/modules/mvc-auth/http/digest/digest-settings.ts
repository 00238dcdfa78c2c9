import type { DigestSource } from '../credential-source';
import type { QualityOfProtection } from './digest-credentials';
import type { NonceCountStore } from './nonce-counts';

/** The configuration of a Digest scheme. */
export interface DigestSettings {
  readonly adapter: string;
  readonly realm: string;
  readonly domain: string;
  readonly qop: readonly QualityOfProtection[];
  /** Nonce lifetime in seconds. */
  readonly nonceTimeout: number;
  readonly nonceKey: Buffer;
  readonly counts: NonceCountStore;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly users: DigestSource;
}
