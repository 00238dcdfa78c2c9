import { DIGEST_ALGORITHMS } from '../http/digest/digest-algorithm';

/** Weakest first. */
const ALGORITHMS: readonly string[] = [...DIGEST_ALGORITHMS].reverse();

const BASIC = -1;
/** Unknown schemes come first: only their adapters know their strength. */
const OTHER = ALGORITHMS.length;

/**
 * Sorts the challenges of several adapters, strongest first (RFC 9110, 11.6.1): other schemes, Digest by algorithm,
 * Basic. The sort is stable.
 *
 * @param challenges `WWW-Authenticate` field values
 */
export function strongestFirst(challenges: readonly string[]): readonly string[] {
  return [...challenges].sort((a, b) => strengthOf(b) - strengthOf(a));
}

function strengthOf(challenge: string): number {
  const scheme = /^[^ ]*/.exec(challenge)?.[0].toLowerCase();
  if (scheme === 'basic') return BASIC;
  if (scheme !== 'digest') return OTHER;
  // The default is MD5 (RFC 7616, 3.3).
  const algorithm = /[ ,]algorithm="?([A-Za-z0-9-]+)/i.exec(challenge)?.[1] ?? 'MD5';
  return ALGORITHMS.indexOf(algorithm.toUpperCase().replace(/-SESS$/, ''));
}
