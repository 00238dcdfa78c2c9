/** The algorithms of Digest, weakest first; MD5 where none is named (RFC 7616, 3.3). */
const ALGORITHMS = ['MD5', 'SHA-512-256', 'SHA-256'];

const BASIC = -1;
/** A scheme that is not known here is for its adapter to judge. */
const OTHER = ALGORITHMS.length;

/**
 * Puts the challenges of several adapters in order, the strongest first (RFC 9110, 11.6.1): Digest by algorithm,
 * then Basic. Others stay before them, and equals in the order in which they were given.
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
  const algorithm = /[ ,]algorithm="?([A-Za-z0-9-]+)/i.exec(challenge)?.[1] ?? 'MD5';
  return ALGORITHMS.indexOf(algorithm.toUpperCase().replace(/-SESS$/, ''));
}
