import { below } from './json';
import type { Losses } from './losses';

/** What would be taken for the name of an environment variable in configuration. */
export const VARIABLE = /\$\{(?=[A-Za-z_]\w*\})/g;

/** Members whose values are shown as they are, null among them. */
const SHOWN: readonly string[] = ['example', 'examples', 'enum'];

/** Notes the values of a document that cannot be here what they are there. */
export function noteValues(value: unknown, losses: Losses, pointer = '#', isShown = false): void {
  const what = typeof value === 'object' ? undefined : lossOf(value);
  if (what !== undefined) losses.note(what, pointer);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const here = below(pointer, key);
    const shown = isShown || SHOWN.includes(key) || Array.isArray(value);
    if (key.startsWith('x-')) continue;
    if (key === '__proto__') losses.note('a member called "__proto__"', here);
    else if (member === null && !shown) losses.note('a value that is null', here);
    else noteValues(member, losses, here, shown);
  }
}

function lossOf(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.search(VARIABLE) < 0 ? undefined : '"${" (a blank is in it now)';
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return undefined;
  if (!Number.isFinite(value)) return 'a number that is too large, or none';
  // Beyond, one in two is another already (ECMA-262, 6.1.6.1).
  return Number.isInteger(value) ? 'a whole number beyond 2^53, which is not exact here' : undefined;
}
