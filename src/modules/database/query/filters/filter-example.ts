import type { TableFilter } from '../../table/table';
import { comparable } from './filter-operators';

/** A value of a format, for examples. */
const VALUES: Readonly<Record<string, unknown>> = {
  boolean: true,
  integer: 10,
  number: 1.5,
  string: 'Gl',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** Returns an example of a filter with the first conditions of a service; undefined if no value is known. */
export function exampleOfFilters(filters: readonly TableFilter[]): object | undefined {
  const comparisons = filters.filter(({ where }) => where === undefined);
  const examples = comparisons.flatMap((filter) => {
    const value = valueFor(filter);
    return value === undefined ? [] : [{ [filter.column.name]: { [filter.operator]: value } }];
  });
  const [first] = examples;
  // Of another column, if there is one.
  const other = examples.find((one) => Object.keys(one)[0] !== Object.keys(first ?? {})[0]) ?? examples[1];
  if (first === undefined || other === undefined) return first;
  return { or: [first, { not: other }] };
}

function valueFor({ column, operator }: TableFilter): unknown {
  if (operator === 'is') return 'not_null';
  const { examples } = column.schema as { readonly examples?: unknown };
  const declared: unknown = Array.isArray(examples) ? (examples as readonly unknown[])[0] : undefined;
  const {
    type,
    format,
    enum: choices,
    pattern,
  } = comparable(column.schema) as {
    readonly type?: string;
    readonly format?: string;
    readonly enum?: readonly unknown[];
    readonly pattern?: string;
  };
  const value =
    declared ?? choices?.[0] ?? (pattern === undefined ? VALUES[format ?? type ?? 'string'] : '10');
  return operator === 'in' && value !== undefined ? [value] : value;
}
