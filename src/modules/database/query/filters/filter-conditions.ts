import { sql } from 'kysely';
import type { Dialect } from '../../adapters/database-adapter';
import type { Table, TableFilter } from '../../table/table';
import { compared, differs, equals, notationsOf, parameter, valueOf, type Expression } from '../expressions';
import type { FilterOperator } from './filter-operators';

const OPERATORS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Whether a filter has the order of values. */
export function needsOrder(operator: FilterOperator): boolean {
  return Object.hasOwn(OPERATORS, operator);
}

/** The value of a condition in a request. */
interface Operand {
  /** The value when the statement is built; other requests of the same shape have other values. */
  readonly value: unknown;
  /** The position among the operands of a request. */
  readonly at: number;
}

/** The condition of one filter. Texts are compared by code point, with letter case. */
export function filterCondition(
  { column, operator, where }: TableFilter,
  { dialect }: Pick<Table, 'dialect'>,
  { value: first, at }: Operand,
): Expression {
  const reference = compared(column);
  const value = valueOf(column, ({ operands }) => operands?.[at]);
  const text = (convert = (one: string): string => one): Expression =>
    parameter(({ operands }) => convert(String(operands?.[at])));
  if (where !== undefined) return sqlCondition(where, value);
  switch (operator) {
    case 'ne':
      return differs(column, dialect, ({ operands }) => operands?.[at]);
    case 'is':
      return first === 'null' ? sql`${reference} is null` : sql`${reference} is not null`;
    case 'in':
      return sql`${reference} in (${sql.join(listParameters(column, dialect, first, at))})`;
    case 'starts':
      if (dialect === 'sqlite')
        return isLongPrefix(first)
          ? sql`substr(${reference}, 1, length(${text()})) = ${text()}`
          : sql`${reference} glob ${text(globPrefix)}`;
      return sql`${textOf(column)} like ${text(likePrefix)}`;
    case 'contains':
      if (dialect === 'sqlite') return sql`instr(${reference}, ${text()}) > 0`;
      return column.model.base === 'bpchar'
        ? sql`${textOf(column)} like ${text(likePart)}`
        : sql`strpos(${textOf(column)}, ${text()}) > 0`;
    case 'eq':
      return equals(column, dialect, ({ operands }) => operands?.[at]);
    default:
      return sql`${reference} ${sql.raw(OPERATORS[operator])} ${value}`;
  }
}

/** The characters of a column of PostgreSQL. */
function textOf({ name, model }: TableFilter['column']): Expression {
  // As text, `character(n)` has no spaces at its end, which responses have.
  const characters = model.base === 'bpchar' ? sql`${sql.id(name)}` : sql`${sql.id(name)}::text`;
  // Only for these columns: indexes serve patterns in their own collation.
  return model.isNondeterministic === true ? sql`${characters} collate "C"` : characters;
}

/** A condition of the declaration, with the value in place of `:value`. */
function sqlCondition(where: string, value: Expression): Expression {
  const parts = where.split(/(?<!:):value\b/).map((part) => sql.raw(part));
  return sql`(${sql.join(parts, value)})`;
}

/**
 * The part of a filter that decides the text of its statement. Lists are rounded up to the next power of two, so that
 * there are few statements.
 */
export function filterShape({ operator, parameter }: TableFilter, value: unknown): string {
  // Names may contain what separates them from others.
  const name = JSON.stringify(parameter);
  if (operator === 'is') return `${name}=${String(value)}`;
  if (operator === 'starts') return isLongPrefix(value) ? `${name}=long` : name;
  return operator === 'in' ? `${name}=${roundedLength(value)}` : name;
}

function roundedLength(list: unknown): number {
  return Array.isArray(list) ? 2 ** Math.ceil(Math.log2(list.length)) : 1;
}

/** Repeats the last value up to the rounded length. */
function listParameters(
  column: TableFilter['column'],
  dialect: Dialect,
  first: unknown,
  at: number,
): readonly Expression[] {
  const indexes = Array.from({ length: roundedLength(first) }, (_, index) => index);
  return indexes.flatMap((index) =>
    notationsOf(column, dialect, ({ operands }) => {
      const values = operands?.[at];
      return Array.isArray(values) ? (values[Math.min(index, values.length - 1)] as unknown) : values;
    }),
  );
}

/** Characters of a prefix, of which each may take three bytes of a pattern: SQLite refuses those of more than 50,000 bytes. */
const MAX_GLOB_PREFIX = 16_000;

/** Whether the pattern of a prefix is too long for GLOB. */
function isLongPrefix(prefix: unknown): boolean {
  return typeof prefix === 'string' && prefix.length > MAX_GLOB_PREFIX;
}

/** A GLOB pattern (SQLite) for texts that begin with a prefix: unlike LIKE, it respects letter case and uses an index. */
function globPrefix(prefix: string): string {
  return `${prefix.replace(/[*?[]/g, '[$&]')}*`;
}

function likePrefix(prefix: string): string {
  return `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
}

function likePart(part: string): string {
  return `%${likePrefix(part)}`;
}
