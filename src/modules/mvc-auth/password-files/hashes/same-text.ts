/**
 * Compares two hashes in a time that depends on their lengths only: every character is looked at, whatever was found
 * before. Written out, as `timingSafeEqual` wants octets, which cost more to make than to compare.
 */
export function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
