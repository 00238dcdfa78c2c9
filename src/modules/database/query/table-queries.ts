import { sql, type Kysely } from 'kysely';
import type { SortKey } from '../../hosting';
import type { Row, SqlStatement } from '../adapters/database-adapter';
import { StatementCache } from '../adapters/statement-cache';
import { readabilityCheck } from '../schema/readable-values';
import type { Table, TableColumnInfo, TableEmbed } from '../service/table';
import { compileQuery, compilerOf, type CompiledQuery, type Tables } from './compiled-query';
import {
  OWN_XMIN,
  and,
  defaultValue,
  equals,
  hasRevision,
  isRequested,
  isUnchanged,
  selectList,
  tableReference,
  valueOf,
  type Expression,
  type QueryInput,
} from './expressions';
import { embedSelection } from './embeds';
import { listQuery, type ListRequest } from './list-query';
import { positionShape, type OrderKey } from './position';
import { rowConditions, valueOfRestriction } from './row-conditions';
import type { RowFilter } from './row-filter';

export type TableQuery = CompiledQuery<QueryInput>;

/** How a change finds out that a row is in the state that the client expects. */
export type WriteGuard = 'none' | 'revision' | 'unchanged';

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
      const conditions = and(isRequested(table, rowConditions(table)));
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
    const table = this.#table;
    const fixed = table.rows.filter(({ column }) => !columns.includes(column));
    return this.#compiled(`insert${ifAbsent ? '?' : ''}|${names(columns)}`, 'write', () => {
      const first = firstRevision(table);
      const targets = [...columns, ...fixed.map(({ column }) => column), ...first];
      const values = [
        ...columns.map((column) => this.#bodyValue(column)),
        ...fixed.map(valueOfRestriction),
        ...first.map(() => sql.lit(1)),
      ];
      const list = sql.join(targets.map(({ name }) => sql.id(name)));
      const isDeferrable = ifAbsent && table.isKeyDeferrable;
      const row =
        targets.length === 0
          ? sql`default values`
          : isDeferrable
            ? sql`(${list}) ${this.#unlessFound(list, values)}`
            : sql`(${list}) values (${sql.join(values)})`;
      const keys = sql.join(table.keys.map(({ column }) => sql.id(column.name)));
      const conflict = ifAbsent && !isDeferrable ? sql` on conflict (${keys}) do nothing` : sql``;
      return sql`insert into ${tableReference(table)} ${row}${conflict} returning ${selectList(table, table.columns, [], OWN_XMIN)}`;
    });
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
    const table = this.#table;
    return this.#compiled(`update|${names(columns)}${END}${names(cleared)}${END}${guard}`, 'write', () => {
      const assignments = [
        ...columns.map((column) => sql`${sql.id(column.name)} = ${this.#bodyValue(column)}`),
        ...cleared.map((column) => sql`${sql.id(column.name)} = ${defaultValue(column)}`),
        ...this.#nextRevision(),
      ];
      return sql`update ${tableReference(table)} set ${sql.join(assignments)}${this.#target(guard)} returning ${selectList(table, table.columns)}`;
    });
  }

  /** Deletes the row of an identifier; returns its key. */
  delete(guard: WriteGuard): TableQuery {
    const table = this.#table;
    return this.#compiled(
      `delete|${guard}`,
      'write',
      () =>
        sql`delete from ${tableReference(table)}${this.#target(guard)} returning 1 as ${sql.ref('deleted')}`,
    );
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

  #target(guard: WriteGuard): Expression {
    const table = this.#table;
    return and([
      ...isRequested(table, rowConditions(table)),
      ...(guard === 'revision' ? hasRevision(table) : []),
      ...(guard === 'unchanged' ? isUnchanged(table) : []),
    ]);
  }

  #nextRevision(): readonly Expression[] {
    const { revision } = this.#table;
    if (revision.kind !== 'column' || !revision.isCounter) return [];
    const reference = sql.id(revision.column.name);
    return [sql`${reference} = coalesce(${reference}, 0) + 1`];
  }

  /**
   * Selects values unless a row has their key: one that may be checked at the commit cannot be that of ON CONFLICT. The columns
   * of the table decide the types of the parameters.
   */
  #unlessFound(list: Expression, values: readonly Expression[]): Expression {
    const table = this.#table;
    const isFound = and(
      table.keys.map(({ column }) => equals(column, table.dialect, ({ body }) => body?.[column.name])),
    );
    return sql`select ${list} from ${tableReference(table)} where false union all select ${sql.join(values)} where not exists (select 1 from ${tableReference(table)}${isFound})`;
  }

  #bodyValue(column: TableColumnInfo): Expression {
    return valueOf(column, ({ body }) => body?.[column.name]);
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

/** The revision column of new rows, if it is a counter without a default: it begins with 1. */
export function firstRevision({ revision }: Table): readonly TableColumnInfo[] {
  if (revision.kind !== 'column' || !revision.isCounter) return [];
  const { default: initial, generated } = revision.column.model;
  return initial === undefined && generated === undefined ? [revision.column] : [];
}

/** The rows that the planner expects, in the plan that EXPLAIN returns as JSON. */
export function estimatedRows([row]: readonly Row[]): number {
  const plan: unknown = row?.['QUERY PLAN'];
  const [root] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as readonly {
    readonly Plan?: { readonly 'Plan Rows'?: number };
  }[];
  return Math.round(root?.Plan?.['Plan Rows'] ?? 0);
}
