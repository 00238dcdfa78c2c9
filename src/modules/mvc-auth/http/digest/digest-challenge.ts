import { hash } from 'node:crypto';
import type { DigestAlgorithm } from '../../password-files/digest-algorithm';
import { quoted, toFieldText } from '../field-text';
import type { QualityOfProtection } from './digest-credentials';

/** What a challenge of Digest says. */
export interface DigestChallenge {
  readonly realm: string;
  /** URIs separated by spaces; an empty one omits the parameter. */
  readonly domain: string;
  readonly nonce: string;
  readonly opaque: string;
  readonly algorithm: DigestAlgorithm;
  readonly qop: readonly QualityOfProtection[];
  readonly stale: boolean;
}

/**
 * A `WWW-Authenticate` field value of Digest (RFC 7616, 3.3), with the quotes where that text demands them
 * and nowhere else.
 */
export function digestChallenge(challenge: DigestChallenge): string {
  const { realm, domain, nonce, opaque, algorithm, qop, stale } = challenge;
  return [
    `Digest realm=${quoted(toFieldText(realm))}`,
    ...(domain === '' ? [] : [`domain=${quoted(domain)}`]),
    `nonce=${quoted(nonce)}`,
    `opaque=${quoted(opaque)}`,
    ...(stale ? ['stale=true'] : []),
    `algorithm=${algorithm}`,
    `qop=${quoted(qop.join(', '))}`,
    'charset=UTF-8',
    'userhash=true',
  ].join(', ');
}

/**
 * The `opaque` of a realm: no secret, and the same after every restart, so that a client whose nonce came
 * before the restart is told `stale` and not that its password is wrong.
 */
export function opaqueOf(adapter: string, realm: string): string {
  return hash('sha256', `opaque:${adapter}:${realm}`, 'hex').slice(0, 32);
}
