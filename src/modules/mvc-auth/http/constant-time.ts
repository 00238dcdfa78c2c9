/**
 * Compares two hashes in a time that depends on their lengths only. Faster than `timingSafeEqual`, which needs both
 * strings as buffers.
 */
export function equalInConstantTime(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
