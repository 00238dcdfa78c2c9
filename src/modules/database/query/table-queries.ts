import { sql, type Kysely } from 'kysely';
import type { SortKey } from '../../hosting';
import type { Row, SqlStatement } from '../adapters/database-adapter';
import { StatementCache } from '../adapters/statement-cache';
import { readabilityCheck } from '../schema/readable-values';
import type { Table, TableColumnInfo, TableEmbed } from '../table/table';
import { compileQuery, compilerOf, type CompiledQuery, type Tables } from './compiled-query';
import { and, selectList, tableReference, type Expression, type QueryInput } from './expressions';
import { embedSelection } from './embeds';
import { listQuery, type ListRequest } from './list-query';
import { positionShape, type OrderKey } from './position';
import { isRequested, rowConditions } from './row-conditions';
import type { RowFilter } from './filters/row-filter';
import { deleteStatement, insertStatement, updateStatement, type WriteGuard } from './write-statements';

export type TableQuery = CompiledQuery<QueryInput>;

/** Builds the statements of one table service, each once per shape of a request. */
export class TableQueries {
  readonly #table: Table;
  readonly #compiler: Kysely<Tables>;
  readonly #shapes = new StatementCache<TableQuery>();

  constructor(table: Table) {
    this.#table = table;
    this.#compiler = compilerOf(table.dialect);
  }

  /** Selects the row of an identifier, with all columns. */
  byKey(embeds: readonly TableEmbed[] = []): TableQuery {
    const table = this.#table;
    return this.#compiled(`key|${embedShape(embeds)}`, 'read', () => {
      const conditions = and(isRequested(table));
      const embedded = embeds.map((embed) => embedSelection(embed, table));
      return sql`select ${selectList(table, table.columns, embedded)} from ${tableReference(table)}${conditions}`;
    });
  }

  /** Selects a page of rows. */
  list(request: ListRequest): TableQuery {
    const { filter, sort, cursor, columns, embeds, isPaged, isComplete = false } = request;
    const table = this.#table;
    const shape = [
      'list',
      filter.shape,
      sort.map(({ name, descending }) => (descending ? `-${name}` : name)).join(SEPARATOR),
      cursor === undefined ? '' : positionShape(cursor),
      columns.length === table.columns.length ? '' : names(columns),
      embedShape(embeds),
      isComplete ? 'all' : isPaged ? 'page' : '',
    ].join(END);
    return (
      this.#shapes.get(shape) ??
      this.#kept(shape, listQuery(table, this.#compiler, this.orderKeys(sort), request))
    );
  }

  /** Counts the rows that a list would select on all pages. */
  count(filter: RowFilter): TableQuery {
    const table = this.#table;
    return this.#compiled(`count|${filter.shape}`, 'read', () => {
      const conditions = [...rowConditions(table), ...filter.expressions(table)];
      return sql`select count(*) as ${sql.ref('total')} from ${tableReference(table)}${and(conditions)}`;
    });
  }

  /** Estimates the rows that a list would select on all pages, from the statistics of the planner (PostgreSQL). */
  estimate(filter: RowFilter): TableQuery {
    const table = this.#table;
    return this.#compiled(`estimate|${filter.shape}`, 'read', () => {
      const conditions = [...rowConditions(table), ...filter.expressions(table)];
      return sql`explain (format json) select 1 from ${tableReference(table)}${and(conditions)}`;
    });
  }

  /**
   * Inserts a row with the given columns.
   * @param ifAbsent whether nothing happens if a row with its key exists; no row is returned then
   */
  insert(columns: readonly TableColumnInfo[], ifAbsent = false): TableQuery {
    return this.#compiled(`insert${ifAbsent ? '?' : ''}|${names(columns)}`, 'write', () =>
      insertStatement(this.#table, columns, ifAbsent),
    );
  }

  /**
   * Changes columns of the row of an identifier.
   * @param cleared columns that are set to their defaults
   */
  update(
    columns: readonly TableColumnInfo[],
    cleared: readonly TableColumnInfo[],
    guard: WriteGuard,
  ): TableQuery {
    return this.#compiled(`update|${names(columns)}${END}${names(cleared)}${END}${guard}`, 'write', () =>
      updateStatement(this.#table, columns, cleared, guard),
    );
  }

  /** Deletes the row of an identifier; returns a row if it existed. */
  delete(guard: WriteGuard): TableQuery {
    return this.#compiled(`delete|${guard}`, 'write', () => deleteStatement(this.#table, guard));
  }

  /** The order of a list: the requested one, completed by the key so that every row has one position. */
  orderKeys(sort: readonly SortKey[]): readonly OrderKey[] {
    const { columns } = this.#table;
    const keys = sort.flatMap(({ name, descending }) => {
      const column = columns.find((one) => one.name === name);
      return column === undefined ? [] : [{ column, isDescending: descending }];
    });
    const others = this.#table.keys.filter((key) => !keys.some(({ column }) => column === key.column));
    // In the direction of the last key, so that one index serves both.
    const isDescending = keys.at(-1)?.isDescending ?? false;
    return [...keys, ...others.map(({ column }) => ({ column, isDescending }))];
  }

  #compiled(shape: string, kind: 'read' | 'write', build: () => Expression): TableQuery {
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    const options = { kind, single: true, ...checkOf(shape, this.#table) };
    return this.#kept(shape, compileQuery<QueryInput>(this.#compiler, build(), options));
  }

  #kept(shape: string, query: TableQuery): TableQuery {
    const { text, parts = [] } = query.statement;
    const length = parts.reduce((sum, part) => sum + part.text.length, text.length);
    return this.#shapes.add(shape, query, length);
  }
}

/** No name of a column has it. */
const SEPARATOR = '\0';

/** Ends a part of a shape that has names. */
const END = SEPARATOR + SEPARATOR;

/** The check of rows that a statement inserts or updates: those of PostgreSQL can always be returned. */
export function checkOf(shape: string, { dialect, columns }: Table): Pick<SqlStatement, 'check'> {
  return dialect === 'sqlite' && /^(?:insert|update)/.test(shape) ? { check: readabilityCheck(columns) } : {};
}

/** Distinguishes lists of columns. */
export function names(columns: readonly TableColumnInfo[]): string {
  return columns.map(({ name }) => name).join(SEPARATOR);
}

function embedShape(embeds: readonly TableEmbed[]): string {
  return embeds.map(({ name }) => name).join(SEPARATOR);
}

/** The rows that the planner expects, in the plan that EXPLAIN returns as JSON. */
export function estimatedRows([row]: readonly Row[]): number {
  const plan: unknown = row?.['QUERY PLAN'];
  const [root] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as readonly {
    readonly Plan?: { readonly 'Plan Rows'?: number };
  }[];
  return Math.round(root?.Plan?.['Plan Rows'] ?? 0);
}
