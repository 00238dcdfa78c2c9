import { sql, type Kysely } from 'kysely';
import type { SortKey } from '../../hosting';
import type { Table, TableColumnInfo, TableEmbed } from '../table/table';
import {
  compileParts,
  compileQuery,
  MAX_PARAMETERS,
  type CompiledQuery,
  type Tables,
} from './compiled-query';
import { embedSelection } from './embeds';
import {
  and,
  parameter,
  selectList,
  selectedNames,
  tableReference,
  type Expression,
  type QueryInput,
} from './expressions';
import { alternativesBeyond, isBeyond, orderBy } from './keyset';
import type { KeysetCursor, OrderKey } from './position';
import { rowConditions } from './row-conditions';
import type { RowFilter } from './filters/row-filter';

/** Names of columns for which SQLite takes others in subqueries, such as `column1`. */
const RENAMED = /^(?:true|false)$/i;

/** A requested list of rows. */
export interface ListRequest {
  readonly filter: RowFilter;
  readonly sort: readonly SortKey[];
  readonly cursor?: KeysetCursor | undefined;
  /** The selected columns; the order keys are selected in addition. */
  readonly columns: readonly TableColumnInfo[];
  readonly embeds: readonly TableEmbed[];
  readonly isPaged: boolean;
  /** Whether all rows are selected rather than a page. */
  readonly isComplete?: boolean;
}

/** Compiles the query of a list, by the order of its rows. */
export function listQuery(
  table: Table,
  compiler: Kysely<Tables>,
  order: readonly OrderKey[],
  { filter, cursor, columns, embeds, isPaged, isComplete = false }: ListRequest,
): CompiledQuery<QueryInput> {
  const conditions = [...rowConditions(table), ...filter.expressions(table)];
  const selected = [...new Set([...columns, ...order.map(({ column }) => column)])];
  const embedded = embeds.map((embed) => embedSelection(embed, table));
  const list = selectList(table, selected, embedded);
  const ordered = sql` order by ${orderBy(order, cursor?.before === true, table)}`;
  // Never a constant: PostgreSQL would keep one plan for all values, which is the wrong one for rare values.
  const limit = parameter((input) => input.limit ?? null);
  const page = isComplete
    ? sql``
    : isPaged
      ? sql` limit ${limit} offset ${parameter((input) => input.offset ?? 0)}`
      : sql` limit ${limit}`;
  const rows = (position: readonly Expression[]): Expression =>
    sql`select ${list} from ${tableReference(table)}${and([...position, ...conditions])}${ordered}${page}`;
  // What is embedded is put together for each row. To read others one by one takes a tenth more of the time of a page.
  const options = { kind: 'read', single: false, isPage: embeds.length > 0 && !isComplete } as const;
  if (cursor === undefined) return compileQuery(compiler, rows([]), options);
  const names = [...selectedNames(table, selected), ...embeds.map(({ alias }) => alias)];
  const isOne = isPaged || isComplete || names.some((name) => RENAMED.test(name));
  const alternatives = isOne ? [] : readByIndex(table, compiler, order, cursor, conditions);
  if (alternatives.length < 2) return compileQuery(compiler, rows([isBeyond(order, cursor)]), options);
  return compileParts(compiler, alternatives.map(rows), names, limit, options);
}

/** The alternatives that a page is put together from, each of which repeats the conditions; none for one condition. */
function readByIndex(
  table: Table,
  compiler: Kysely<Tables>,
  order: readonly OrderKey[],
  cursor: KeysetCursor,
  conditions: readonly Expression[],
): readonly (readonly Expression[])[] {
  if (table.dialect !== 'sqlite') return [];
  const alternatives = alternativesBeyond(order, cursor);
  const { parameters } = sql.join(conditions).compile(compiler);
  return (parameters.length + order.length) * alternatives.length <= MAX_PARAMETERS ? alternatives : [];
}
