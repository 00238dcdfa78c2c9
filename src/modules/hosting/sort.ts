import { Type, type TSchema } from '@sinclair/typebox';
import { StartError } from '../../framework';

/** One criterion of an order. */
export interface SortKey<Name extends string = string> {
  readonly name: Name;
  readonly descending: boolean;
}

/**
 * The schema of the parameter `sort`. `x-sort-by` is checked with the rest of the query, and tells generators of
 * clients which names there are.
 */
export function sortParameter(names: readonly string[], standard: string | undefined): TSchema {
  return Type.Optional(
    Type.String({
      'x-sort-by': [...names],
      description: `The order: ${names.join(', ')}, separated by commas, each with "-" before it for falling.`,
      examples: [standard ?? `-${names[0] ?? ''}`],
      ...(standard === undefined ? {} : { default: standard }),
    }),
  );
}

/**
 * Refuses an order that no request could ask for.
 * @throws StartError for a standard order that names what the collection cannot be ordered by
 */
export function assertStandard(names: readonly string[], standard: string, where: string): void {
  const odd = parseSort(standard).find(({ name }, at, all) => {
    return !names.includes(name) || all.findIndex((one) => one.name === name) < at;
  });
  if (odd === undefined && standard !== '') return;
  throw new StartError(
    `${where}: default_sort is "${standard}". Write names of "sort" (${names.join(', ')}), each once, "-" before it for falling.`,
  );
}

/** @param text validated, e.g. `-population,name` */
export function parseSort(text: unknown): readonly SortKey[] {
  if (typeof text !== 'string' || text === '') return [];
  return text.split(',').map((key) => {
    const descending = key.startsWith('-');
    return { name: descending ? key.slice(1) : key, descending };
  });
}

/**
 * Compares entities in the order that a client asks for: numbers (a bigint too) by their value, a Date by its time,
 * all else as text. What has no value, NaN too, comes last either way.
 *
 * @example
 * fetchAll({ sort }) {
 *   return [...this.#countries].sort(comparing(sort));
 * }
 */
export function comparing<Name extends string>(
  sort: readonly SortKey<Name>[],
): (a: Readonly<Partial<Record<Name, unknown>>>, b: Readonly<Partial<Record<Name, unknown>>>) => number {
  return (a, b) => {
    for (const { name, descending } of sort) {
      const order = compare(a[name], b[name], descending ? -1 : 1);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compare(left: unknown, right: unknown, direction: 1 | -1): number {
  const [a, b] = [comparable(left), comparable(right)];
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  // Whole numbers of both kinds can be compared with each other, not taken from each other.
  const [first, second] = typeof a !== 'string' && typeof b !== 'string' ? [a, b] : [String(a), String(b)];
  if (first === second) return 0;
  if (first < second) return -direction;
  return first > second ? direction : 0;
}

function textOf(value: unknown): string {
  return String(value);
}

/** Numbers go by their value, moments by their time, all else as text; undefined for what has no value. */
function comparable(value: unknown): number | bigint | string | undefined {
  if (value === undefined || value === null || Number.isNaN(value)) return undefined;
  if (value instanceof Date) return comparable(value.getTime());
  return typeof value === 'number' || typeof value === 'bigint' ? value : textOf(value);
}
