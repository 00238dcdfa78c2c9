import type { Deployment } from '../../../../framework';
import type { DigestSource } from '../credential-source';
import type { QualityOfProtection } from './digest-credentials';

/** The configuration of a Digest scheme. */
export interface DigestSettings {
  readonly adapter: string;
  readonly realm: string;
  readonly domain: string;
  readonly qop: readonly QualityOfProtection[];
  /** Nonce lifetime in seconds. */
  readonly nonceTimeout: number;
  /** Its keys sign nonces, its state counts their uses. */
  readonly deployment: Deployment;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly users: DigestSource;
}
