import { timingSafeEqual } from 'node:crypto';

/** Compares two hashes in a time that depends on their lengths only. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
