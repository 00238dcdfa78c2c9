import { childPointer } from './json';
import type { ImportWarnings } from '../import-warnings';

/** Members whose values are data, which may be null. */
const VALUE_MEMBERS: readonly string[] = ['example', 'examples', 'enum'];

/** Warns about values that configuration cannot represent. */
export function warnAboutValues(
  value: unknown,
  warnings: ImportWarnings,
  pointer = '#',
  isInData = false,
): void {
  const what = typeof value === 'object' ? undefined : describeUnsupported(value);
  if (what !== undefined) warnings.add(what, pointer);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const location = childPointer(pointer, key);
    const isData = isInData || VALUE_MEMBERS.includes(key) || Array.isArray(value);
    if (key.startsWith('x-')) continue;
    if (key === '__proto__') warnings.add('member "__proto__"', location);
    else if (member === null && !isData) warnings.add('null value', location);
    else warnAboutValues(member, warnings, location, isData);
  }
}

function describeUnsupported(value: unknown): string | undefined {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return undefined;
  if (!Number.isFinite(value)) return 'number out of range';
  // Larger integers are not exact (ECMA-262, 6.1.6.1).
  return Number.isInteger(value) ? 'integer beyond 2^53 (loses precision)' : undefined;
}
