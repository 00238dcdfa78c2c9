import { formatPointer, isObject } from '../../../../framework';
import { failedValidation } from '../../../content-validation';
import type { Table } from '../../table/table';
import { RowFilter, searchIn, type Condition } from './row-filter';

/** Levels of `and`, `or` and `not` in a filter. */
export const MAX_DEPTH = 8;

/** Comparisons in a filter. */
export const MAX_CONDITIONS = 50;

/** Names that combine conditions; a column of such a name is not available in a body. */
export const COMBINATIONS = ['and', 'or', 'not'] as const;

/**
 * Returns the filter of a body: `{"or": [{"price": {"gte": 10}}, {"not": {"name": {"starts": "Gl"}}}]}`. The members
 * of an object hold together.
 * @param body validated by its schema
 * @throws Problem 422 for more levels or conditions than a statement should have
 */
export function filterOfBody(
  table: Pick<Table, 'dialect' | 'filters' | 'search'>,
  body: Readonly<Record<string, unknown>>,
): RowFilter {
  const conditions = new FilterReader(table).read(body.filter, '/filter', 1);
  return new RowFilter([...searchIn(table, body), ...conditions]);
}

class FilterReader {
  readonly #filters: ReadonlyMap<string, Table['filters'][number]>;
  #count = 0;

  constructor({ filters }: Pick<Table, 'filters'>) {
    this.#filters = new Map(filters.map((filter) => [filter.parameter, filter]));
  }

  read(value: unknown, pointer: string, depth: number): readonly Condition[] {
    if (depth > MAX_DEPTH) throw invalid(pointer, `has more than ${MAX_DEPTH} levels`);
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([name, member]): readonly Condition[] => {
      const here = pointer + formatPointer([name]);
      switch (name) {
        case 'and':
        case 'or':
          return [{ kind: name, conditions: this.#list(member, here, depth) }];
        case 'not':
          return [{ kind: 'not', condition: all(this.read(member, here, depth + 1)) }];
        default:
          return isObject(member)
            ? this.#comparisons(name, member, here)
            : [this.#condition(name, member, here)];
      }
    });
  }

  #list(value: unknown, pointer: string, depth: number): readonly Condition[] {
    if (!Array.isArray(value)) return [];
    return value.map((one, at) => all(this.read(one, `${pointer}/${at}`, depth + 1)));
  }

  #comparisons(column: string, value: object, pointer: string): readonly Condition[] {
    return Object.entries(value).map(([operator, operand]) =>
      this.#condition(`${column}.${operator}`, operand, pointer, `${pointer}/${operator}`),
    );
  }

  /** @param at the pointer of the value, below that of its column */
  #condition(parameter: string, value: unknown, pointer: string, at = pointer): Condition {
    const filter = this.#filters.get(parameter);
    if (filter === undefined) throw invalid(pointer, 'is not a filter');
    this.#count += 1;
    if (this.#count > MAX_CONDITIONS)
      throw invalid(pointer, `is beyond the limit of ${MAX_CONDITIONS} conditions`);
    return { kind: 'filter', filter, value, at };
  }
}

function all(conditions: readonly Condition[]): Condition {
  const [first] = conditions;
  return conditions.length === 1 && first !== undefined ? first : { kind: 'and', conditions };
}

function invalid(pointer: string, message: string) {
  return failedValidation([{ pointer, keyword: 'filter', message }]);
}
