import { ExactNumber, formatExactJson } from './exact-json';

/**
 * How many levels of lists in an array of JSON are its dimensions: at most those that are declared, whose lists have the
 * same length (PostgreSQL, 8.15.1). Other lists are JSON.
 */
export function jsonDepth(value: unknown, most: number): number {
  let level: readonly unknown[] = Array.isArray(value) ? value : [];
  for (let depth = 0; depth < most; depth++) {
    const lists = level.filter((one): one is readonly unknown[] => Array.isArray(one) && one.length > 0);
    if (lists.length < level.length || lists.some(({ length }) => length !== lists[0]?.length)) return depth;
    level = lists.flat();
  }
  return Math.max(most, 0);
}

/**
 * Formats an array of PostgreSQL (8.15.2): `{"a","b",NULL}`. Those of boxes have semicolons.
 * @param depth how many levels of lists among the items are arrays, rather than JSON
 */
export function arrayLiteral(value: unknown, delimiter = ',', depth = 0): string {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const texts = items.map((item) => {
    if (item === null) return 'NULL';
    if (depth > 0 && Array.isArray(item)) return arrayLiteral(item, delimiter, depth - 1);
    return `"${textOf(item).replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${texts.join(delimiter)}}`;
}

/** Whether an item is JSON, rather than a text, a number or a boolean. */
function isJson(item: unknown): boolean {
  return typeof item === 'object' && !(item instanceof ExactNumber);
}

function textOf(item: unknown): string {
  return isJson(item) ? formatExactJson(item) : String(item);
}
