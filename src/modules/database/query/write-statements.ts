import { sql } from 'kysely';
import type { Table, TableColumnInfo } from '../table/table';
import {
  OWN_XMIN,
  and,
  defaultValue,
  equals,
  selectList,
  tableReference,
  valueOf,
  type Expression,
} from './expressions';
import { hasRevision, isRequested, isUnchanged, valueOfRestriction } from './row-conditions';

/** How a change finds out that a row is in the state that the client expects. */
export type WriteGuard = 'none' | 'revision' | 'unchanged';

/** Inserts a row. See `TableQueries.insert`. */
export function insertStatement(
  table: Table,
  columns: readonly TableColumnInfo[],
  ifAbsent: boolean,
): Expression {
  const fixed = table.rows.filter(({ column }) => !columns.includes(column));
  const first = firstRevision(table);
  const targets = [...columns, ...fixed.map(({ column }) => column), ...first];
  const values = [
    ...columns.map(bodyValue),
    ...fixed.map(valueOfRestriction),
    ...first.map(() => sql.lit(1)),
  ];
  const list = sql.join(targets.map(({ name }) => sql.id(name)));
  const isDeferrable = ifAbsent && table.isKeyDeferrable;
  const row =
    targets.length === 0
      ? sql`default values`
      : isDeferrable
        ? sql`(${list}) ${unlessFound(table, list, values)}`
        : sql`(${list}) values (${sql.join(values)})`;
  const keys = sql.join(table.keys.map(({ column }) => sql.id(column.name)));
  const conflict = ifAbsent && !isDeferrable ? sql` on conflict (${keys}) do nothing` : sql``;
  return sql`insert into ${tableReference(table)} ${row}${conflict} returning ${selectList(table, table.columns, [], OWN_XMIN)}`;
}

/** Changes columns of the row of an identifier. See `TableQueries.update`. */
export function updateStatement(
  table: Table,
  columns: readonly TableColumnInfo[],
  cleared: readonly TableColumnInfo[],
  guard: WriteGuard,
): Expression {
  const assignments = [
    ...columns.map((column) => sql`${sql.id(column.name)} = ${bodyValue(column)}`),
    ...cleared.map((column) => sql`${sql.id(column.name)} = ${defaultValue(column)}`),
    ...nextRevision(table),
  ];
  return sql`update ${tableReference(table)} set ${sql.join(assignments)}${target(table, guard)} returning ${selectList(table, table.columns)}`;
}

/** Deletes the row of an identifier. */
export function deleteStatement(table: Table, guard: WriteGuard): Expression {
  return sql`delete from ${tableReference(table)}${target(table, guard)} returning 1 as ${sql.ref('deleted')}`;
}

/** The revision column of new rows, if it is a counter without a default: it begins with 1. */
export function firstRevision({ revision }: Table): readonly TableColumnInfo[] {
  if (revision.kind !== 'column' || !revision.isCounter) return [];
  const { default: initial, generated } = revision.column.model;
  return initial === undefined && generated === undefined ? [revision.column] : [];
}

function nextRevision({ revision }: Table): readonly Expression[] {
  if (revision.kind !== 'column' || !revision.isCounter) return [];
  const reference = sql.id(revision.column.name);
  return [sql`${reference} = coalesce(${reference}, 0) + 1`];
}

/**
 * Selects values unless a row has their key: one that may be checked at the commit cannot be that of ON CONFLICT. The columns
 * of the table decide the types of the parameters.
 */
function unlessFound(table: Table, list: Expression, values: readonly Expression[]): Expression {
  const isFound = and(
    table.keys.map(({ column }) => equals(column, table.dialect, ({ body }) => body?.[column.name])),
  );
  return sql`select ${list} from ${tableReference(table)} where false union all select ${sql.join(values)} where not exists (select 1 from ${tableReference(table)}${isFound})`;
}

function target(table: Table, guard: WriteGuard): Expression {
  return and([
    ...isRequested(table),
    ...(guard === 'revision' ? hasRevision(table) : []),
    ...(guard === 'unchanged' ? isUnchanged(table) : []),
  ]);
}

function bodyValue(column: TableColumnInfo): Expression {
  return valueOf(column, ({ body }) => body?.[column.name]);
}
