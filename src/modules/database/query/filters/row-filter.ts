import { sql } from 'kysely';
import type { GivenValue } from '../../table/given-value';
import type { Table, TableFilter, TableSearch } from '../../table/table';
import type { Expression } from '../expressions';
import { searchCondition, searchQuery } from './full-text';
import { filterCondition, filterShape } from './filter-conditions';
import { listedValues } from './list-values';

/** A condition of rows, with the values of the request. */
export type Condition =
  | {
      readonly kind: 'filter';
      readonly filter: TableFilter;
      readonly value: unknown;
      /** Where the request has it: a parameter, or a JSON Pointer into the body. */
      readonly at: string;
    }
  | { readonly kind: 'search'; readonly search: TableSearch; readonly query: string }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition };

/** The conditions of a list: all of them hold. Equal shapes have the same SQL; values are its parameters. */
export class RowFilter {
  /** Distinguishes statements. */
  readonly shape: string;
  /** The values of the conditions, in their order. */
  readonly operands: readonly unknown[];
  readonly #conditions: readonly Condition[];

  constructor(conditions: readonly Condition[]) {
    this.#conditions = conditions;
    let shape = '';
    const operands: unknown[] = [];
    // Most lists have one or two: `map`, `join` and `flatMap` take several times as long.
    for (const condition of conditions) {
      shape += `${shape === '' ? '' : '&'}${shapeOf(condition)}`;
      operands.push(...operandsOf(condition));
    }
    this.shape = shape;
    this.operands = operands;
  }

  /** The values of columns in the conditions. */
  get given(): readonly GivenValue[] {
    return this.#conditions.flatMap(givenIn);
  }

  expressions(table: Pick<Table, 'name' | 'dialect'>): readonly Expression[] {
    const position = { at: 0 };
    return this.#conditions.map((condition) => expressionOf(condition, table, position));
  }
}

/** The filters among the parameters of a URL. @throws Problem 400 for an invalid list of values */
export function filterOfQuery(
  table: Pick<Table, 'dialect' | 'filters' | 'search'>,
  query: Readonly<Record<string, unknown>>,
): RowFilter {
  const conditions: Condition[] = [...searchIn(table, query)];
  for (const filter of table.filters) {
    const value = query[filter.parameter];
    if (value === undefined) continue;
    conditions.push({
      kind: 'filter',
      filter,
      value: filter.operator === 'in' ? listedValues(filter, value) : value,
      at: filter.parameter,
    });
  }
  return conditions.length === 0 ? NO_FILTER : new RowFilter(conditions);
}

/** The full-text search of a URL or body. */
export function searchIn(
  table: Pick<Table, 'dialect' | 'search'>,
  { q }: Readonly<Record<string, unknown>>,
): readonly Condition[] {
  const { search } = table;
  if (search === undefined || typeof q !== 'string') return NO_CONDITIONS;
  return [{ kind: 'search', search, query: searchQuery(q, table) }];
}

const NO_CONDITIONS: readonly Condition[] = [];

/** Every row. */
export const NO_FILTER = new RowFilter([]);

function shapeOf(condition: Condition): string {
  switch (condition.kind) {
    case 'filter':
      return filterShape(condition.filter, condition.value);
    case 'search':
      return 'q';
    case 'not':
      return `not(${shapeOf(condition.condition)})`;
    default:
      return `${condition.kind}(${condition.conditions.map(shapeOf).join('&')})`;
  }
}

function givenIn(condition: Condition): readonly GivenValue[] {
  switch (condition.kind) {
    case 'filter': {
      const { filter, value, at } = condition;
      // Its value is a word of its own.
      if (filter.operator === 'is') return [];
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      const isComputed = filter.where !== undefined;
      return values.map((one) => ({ column: filter.column, value: one, at, isComputed }));
    }
    case 'search':
      return [];
    case 'not':
      return givenIn(condition.condition);
    default:
      return condition.conditions.flatMap(givenIn);
  }
}

function operandsOf(condition: Condition): readonly unknown[] {
  switch (condition.kind) {
    case 'filter':
      return [condition.value];
    case 'search':
      return [condition.query];
    case 'not':
      return operandsOf(condition.condition);
    default:
      return condition.conditions.flatMap(operandsOf);
  }
}

/** @param position of the next operand; advanced in the order of `operandsOf` */
function expressionOf(
  condition: Condition,
  table: Pick<Table, 'name' | 'dialect'>,
  position: { at: number },
): Expression {
  switch (condition.kind) {
    case 'filter':
      return filterCondition(condition.filter, table, { value: condition.value, at: position.at++ });
    case 'search':
      return searchCondition(condition.search, table, position.at++);
    case 'not':
      // Not NOT: a comparison with NULL is neither true nor false, and rows are those for which it is not true.
      return sql`((${expressionOf(condition.condition, table, position)}) is not true)`;
    default: {
      const parts = condition.conditions.map((one) => expressionOf(one, table, position));
      return sql`(${sql.join(parts, condition.kind === 'and' ? sql` and ` : sql` or `)})`;
    }
  }
}
