import { Type, type TSchema } from '@sinclair/typebox';
import { ConfigurationError } from '../../../framework';
import { orderKeys } from '../../content-validation';

/** One sort criterion. */
export interface SortKey<Name extends string = string> {
  readonly name: Name;
  readonly descending: boolean;
}

/**
 * Creates the schema of the `sort` parameter. The keyword `x-sort-by` validates it, and tells client generators the
 * allowed names.
 */
export function sortParameter(names: readonly string[], defaultSort: string | undefined): TSchema {
  return Type.Optional(
    Type.String({
      'x-sort-by': [...names],
      description: `Sort order: ${names.join(', ')}, separated by commas; prefix a name with "-" for descending order.`,
      examples: [defaultSort ?? `-${names[0] ?? ''}`],
      ...(defaultSort === undefined ? {} : { default: defaultSort }),
    }),
  );
}

/** @throws ConfigurationError for an empty name, and for one with the prefix of descending order */
export function assertSortNames(names: readonly string[], where: string): void {
  const invalid = names.find((name) => name === '' || name.startsWith('-'));
  if (invalid === undefined) return;
  throw new ConfigurationError(
    `${where}: sort has "${invalid}". Write the names of members: clients may ask for each in descending order, and default_sort may have a "-" prefix.`,
  );
}

/**
 * Rejects a default order that a request could not ask for.
 * @throws ConfigurationError for names that are not in `sort`, or repeated
 */
export function assertDefaultSort(names: readonly string[], defaultSort: string, where: string): void {
  const invalid = parseSort(names, defaultSort).find(({ name }, at, all) => {
    return !names.includes(name) || all.findIndex((one) => one.name === name) < at;
  });
  if (invalid === undefined && defaultSort !== '') return;
  if (names.length === 0)
    throw new ConfigurationError(
      `${where}: default_sort is "${defaultSort}", but there is no "sort". Write the members that it may have in "sort".`,
    );
  throw new ConfigurationError(
    `${where}: default_sort is "${defaultSort}". Write names from "sort" (${names.join(', ')}), each once, with a "-" prefix for descending order.`,
  );
}

/** Parses a validated `sort` parameter, e.g. `-population,name`. @param names those that it may have */
export function parseSort(names: readonly string[], text: unknown): readonly SortKey[] {
  return typeof text !== 'string' || text === '' ? [] : orderKeys(names, text).map(sortKey);
}

/** Parses one key of an order, e.g. `-population`. */
export function sortKey(key: string): SortKey {
  const descending = key.startsWith('-');
  return { name: descending ? key.slice(1) : key, descending };
}

/**
 * Returns a comparison function for the requested order: numbers and bigints by value, dates by time, and after these
 * everything else as text. Missing values and NaN always come last.
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
  const isText = typeof a === 'string';
  // Compared as text, 9 < 10 < "1a" < 9: no order would have all three.
  if (isText !== (typeof b === 'string')) return isText ? direction : -direction;
  // Numbers and bigints can be compared, but not subtracted.
  if (a < b) return -direction;
  return a > b ? direction : 0;
}

function textOf(value: unknown): string {
  return String(value);
}

/** Converts a value for comparison; undefined for no value. */
function comparable(value: unknown): number | bigint | string | undefined {
  if (value === undefined || value === null || Number.isNaN(value)) return undefined;
  if (value instanceof Date) return comparable(value.getTime());
  return typeof value === 'number' || typeof value === 'bigint' ? value : textOf(value);
}
