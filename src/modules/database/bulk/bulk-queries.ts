import { sql, type Kysely } from 'kysely';
import { StatementCache } from '../adapters/statement-cache';
import type { Table, TableColumnInfo } from '../table/table';
import { compileQuery, compilerOf, MAX_PARAMETERS, type Tables } from '../query/compiled-query';
import {
  OWN_XMIN,
  and,
  parameter,
  selectList,
  tableReference,
  valueOf,
  type Expression,
  type QueryInput,
} from '../query/expressions';
import { rowConditions, valueOfRestriction } from '../query/row-conditions';
import type { RowFilter } from '../query/filters/row-filter';
import { checkOf, names, type TableQuery } from '../query/table-queries';
import { firstRevision } from '../query/write-statements';

/** Numbers of rows for which there is a statement of their own; larger lists are split. */
const MAX_EXACT = 16;
const SIZES = [128, 64, 32];

/** Builds the statements that change several rows, each once per shape of a request. */
export class BulkQueries {
  readonly #table: Table;
  readonly #compiler: Kysely<Tables>;
  readonly #shapes = new StatementCache<TableQuery>();

  constructor(table: Table) {
    this.#table = table;
    this.#compiler = compilerOf(table.dialect);
  }

  /** Inserts several rows with the same columns; returns them in their order. */
  insert(columns: readonly TableColumnInfo[], count: number): TableQuery {
    const table = this.#table;
    const fixed = table.rows.filter(({ column }) => !columns.includes(column));
    return this.#compiled(`insert|${count}|${names(columns)}`, () => {
      const first = firstRevision(table);
      const targets = [...columns, ...fixed.map(({ column }) => column), ...first];
      const valuesAt = (at: number): Expression =>
        sql.join([
          ...columns.map((column) => valueOf(column, ({ bodies }) => bodies?.[at]?.[column.name])),
          ...fixed.map(valueOfRestriction),
          ...first.map(() => sql.lit(1)),
        ]);
      const rows = Array.from({ length: count }, (_, at) => sql`(${valuesAt(at)})`);
      return sql`insert into ${tableReference(table)} (${sql.join(targets.map(({ name }) => sql.id(name)))}) values ${sql.join(rows)} returning ${selectList(table, table.columns, [], OWN_XMIN)}`;
    });
  }

  /** Deletes the rows of a filter, if they are not more than a limit; else none. */
  delete(filter: RowFilter): TableQuery {
    const table = this.#table;
    return this.#compiled(`delete|${filter.shape}`, () => {
      const isFew = sql`(${this.#count(filter)}) < ${LIMIT}`;
      const conditions = [...rowConditions(table), ...filter.expressions(table), isFew];
      return sql`delete from ${tableReference(table)}${and(conditions)} returning 1 as ${sql.ref('deleted')}`;
    });
  }

  /** Selects the keys of the rows of a filter up to a limit. */
  keys(filter: RowFilter): TableQuery {
    const table = this.#table;
    return this.#compiled(
      `keys|${filter.shape}`,
      () => {
        const conditions = and([...rowConditions(table), ...filter.expressions(table)]);
        const keys = selectList(
          table,
          table.keys.map(({ column }) => column),
        );
        return sql`select ${keys} from ${tableReference(table)}${conditions} limit ${LIMIT}`;
      },
      'read',
    );
  }

  /** Counts the rows of a filter up to a limit. */
  #count(filter: RowFilter): Expression {
    const table = this.#table;
    const conditions = and([...rowConditions(table), ...filter.expressions(table)]);
    return sql`select count(*) as ${sql.ref('total')} from (select 1 from ${tableReference(table)}${conditions} limit ${LIMIT}) as ${sql.ref('selected')}`;
  }

  #compiled(shape: string, build: () => Expression, kind: 'read' | 'write' = 'write'): TableQuery {
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    const check = checkOf(shape, this.#table);
    const query = compileQuery<QueryInput>(this.#compiler, build(), { kind, ...check });
    return this.#shapes.add(shape, query, query.statement.text.length);
  }
}

/** One more than the maximum. */
const LIMIT = parameter(({ limit }) => limit ?? null);

/** Returns the next number of rows to insert with one statement: few numbers mean few statements. */
export function chunkSize(rows: number, columns: number): number {
  const most = Math.min(rows, Math.max(1, Math.floor(MAX_PARAMETERS / Math.max(columns, 1))));
  return SIZES.find((size) => size <= most) ?? Math.min(most, MAX_EXACT);
}
