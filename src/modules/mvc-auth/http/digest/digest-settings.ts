import type { DigestTable } from '../../password-files/digest-table';
import type { QualityOfProtection } from './digest-credentials';
import type { NonceClaims } from './nonce-counts';

/** What Digest needs to know about its adapter and its deployment. */
export interface DigestSettings {
  readonly adapter: string;
  readonly realm: string;
  readonly domain: string;
  readonly qop: readonly QualityOfProtection[];
  /** Seconds for which a nonce may be used. */
  readonly nonceTimeout: number;
  readonly nonceKey: Buffer;
  readonly counts: NonceClaims;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** The users as the file has them now. */
  readonly table: () => DigestTable;
}
