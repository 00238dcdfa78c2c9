import { hash } from 'node:crypto';
import { quoted, toFieldText } from '../field-text';
import type { DigestAlgorithm } from './digest-algorithm';
import type { QualityOfProtection } from './digest-credentials';

/** The parameters of a Digest challenge (RFC 7616, 3.3). */
export interface DigestChallenge {
  readonly realm: string;
  /** URIs separated by spaces; omitted from the challenge if empty. */
  readonly domain: string;
  readonly nonce: string;
  readonly opaque: string;
  readonly algorithm: DigestAlgorithm;
  readonly qop: readonly QualityOfProtection[];
  readonly stale: boolean;
  /** Whether clients may send the hash of the user name. */
  readonly userhash: boolean;
}

/** Formats a `WWW-Authenticate` field value, with quotes exactly where RFC 7616, 3.3 requires them. */
export function digestChallenge(challenge: DigestChallenge): string {
  const { realm, domain, nonce, opaque, algorithm, qop, stale, userhash } = challenge;
  const domainPart = domain === '' ? '' : `, domain=${quoted(domain)}`;
  const stalePart = stale ? ', stale=true' : '';
  const userhashPart = userhash ? ', userhash=true' : '';
  const nonceParts = `, nonce=${quoted(nonce)}, opaque=${quoted(opaque)}${stalePart}`;
  const algorithmParts = `, algorithm=${algorithm}, qop=${quoted(qop.join(', '))}, charset=UTF-8${userhashPart}`;
  return `Digest realm=${quoted(toFieldText(realm))}${domainPart}${nonceParts}${algorithmParts}`;
}

/**
 * Derives the `opaque` of a realm. It is not secret, and stays the same across restarts, so that a client with a nonce
 * from before gets `stale` instead of a refusal.
 */
export function opaqueOf(adapter: string, realm: string): string {
  return hash('sha256', `opaque:${adapter}:${realm}`, 'hex').slice(0, 32);
}
