import { sql, type RawBuilder } from 'kysely';
import type { EntityId } from '../../hosting';
import type { Dialect, Row, SqlValue } from '../adapters/database-adapter';
import { partsOfName } from '../adapters/postgres/qualified-name';
import { isUntyped } from '../adapters/sqlite/schema/column-type';
import { isStorable, numberParameter } from '../adapters/storable-value';
import type { ColumnModel } from '../introspection/table-model';
import type { Requester } from '../table/restricted-value';
import type { Table, TableColumnInfo } from '../table/table';
import { Parameter } from './compiled-query';

/** What the parameters of a statement are read from. */
export interface QueryInput {
  /** Decides the values of `rows` and of the parameters of the route. */
  readonly requester: Requester;
  /** The identifier in the route. */
  readonly id?: EntityId;
  /** The values of the conditions of a list, in their order. */
  readonly operands?: readonly unknown[];
  readonly body?: Readonly<Record<string, unknown>>;
  /** The columns that are set to their defaults. */
  readonly cleared?: readonly TableColumnInfo[];
  /** The bodies of several rows. */
  readonly bodies?: readonly Readonly<Record<string, unknown>>[];
  /** Values of the sort keys of the row after which a page begins. */
  readonly position?: readonly unknown[] | undefined;
  readonly limit?: number;
  readonly offset?: number;
  /** A selected row that must not have changed. */
  readonly current?: Row;
  /** The revision that the client expects, if it is `xmin`. */
  readonly revision?: string | undefined;
}

export type Expression = RawBuilder<unknown>;

/** A value that is read at each execution. */
export function parameter(read: Parameter<QueryInput>['read']): Expression {
  return sql`${new Parameter(read)}`;
}

export function tableReference({ name, dialect }: Pick<Table, 'name' | 'dialect'>): Expression {
  // The name may have dots: those of PostgreSQL separate the schema.
  return dialect === 'sqlite' ? sql.id(name) : sql.id(...partsOfName(name));
}

/** A column as operators compare it. @param alias of its table, in a statement with several */
export function compared(
  { name, model: { enumType } }: Pick<TableColumnInfo, 'name' | 'model'>,
  alias?: string,
): Expression {
  const reference = alias === undefined ? sql.id(name) : sql.id(alias, name);
  return enumType === undefined ? reference : sql`cast(${reference} as ${sql.raw(enumType)})`;
}

/** The expression that selects the value of a column in the form that its codec reads. */
export function selection(
  column: Pick<TableColumnInfo, 'name' | 'model'>,
  { dialect }: Pick<Table, 'dialect'>,
): Expression {
  const { name, model } = column;
  const reference = sql.id(name);
  if (dialect === 'sqlite') {
    // The driver would round integers, or fail. Other numbers have the fewest digits in JavaScript.
    if (model.type === 'bigint') return sql`cast(${reference} as text)`;
    // The binary format of JSON has to be converted.
    const binary = model.type === 'json' ? sql` when 'blob' then json(${reference})` : sql``;
    if (model.type === 'decimal' || model.type === 'json')
      return sql`case typeof(${reference}) when 'integer' then cast(${reference} as text)${binary} else ${reference} end`;
    return reference;
  }
  // JSON numbers would be rounded, and rows of other types be objects.
  if (
    model.isArray === true &&
    (model.type === 'bigint' || model.type === 'decimal' || model.type === 'other')
  )
    return sql`to_json(${reference}${sql.raw(model.base === 'money' ? '::numeric[]' : '')}::text[])::text`;
  if (model.isArray === true) return sql`to_json(${reference})::text`;
  if (model.base === 'money') return sql`${reference}::numeric`;
  // As `=` compares them, texts of this type that differ in letter case are the same.
  if (model.base === 'citext') return sql`${reference}::text`;
  // Not `::text`, which adds a prefix length to each address.
  if (model.type === 'native') return sql`to_json(${reference})#>>'{}'`;
  // ISO 8601, as JSON has it (8.5.2).
  if (model.type === 'timestamp') return sql`to_json(${reference})#>>'{}'`;
  // Sessions are in UTC.
  if (model.type === 'timestamptz') return sql`replace(to_json(${reference})#>>'{}', '+00:00', 'Z')`;
  if (model.type === 'json' || model.type === 'other') return sql`${reference}::text`;
  return compared(column);
}

/** The list of selected columns. */
export function selectList(
  table: Table,
  columns: readonly TableColumnInfo[],
  further: readonly Expression[] = [],
  xmin: Expression = sql`xmin::text`,
): Expression {
  const items = columns.map((column) => {
    const expression = selection(column, table);
    return sql`${expression} as ${sql.id(column.name)}`;
  });
  items.push(...further);
  if (table.revision.kind === 'xmin') items.push(sql`${xmin} as ${sql.id(REVISION)}`);
  if (table.revision.kind === 'column' && !columns.includes(table.revision.column)) {
    items.push(sql`${selection(table.revision.column, table)} as ${sql.id(REVISION)}`);
  }
  return sql.join(items);
}

/** The names of what {@link selectList} selects of a table of SQLite, without what is added to it. */
export function selectedNames(
  { revision }: Pick<Table, 'revision'>,
  columns: readonly TableColumnInfo[],
): readonly string[] {
  const isAdded = revision.kind === 'column' && !columns.includes(revision.column);
  return [...columns.map(({ name }) => name), ...(isAdded ? [REVISION] : [])];
}

/** The `xmin` of a row that is inserted, which is that of its transaction: partitioned tables do not return it. */
export const OWN_XMIN = sql`(txid_current() & 4294967295)::text`;

/** The alias of the revision in rows. */
export const REVISION = '$revision';

/** The expression of a value of a column. */
export function valueOf(
  { codec, model }: Pick<TableColumnInfo, 'codec' | 'model'>,
  read: (input: QueryInput) => unknown,
): Expression {
  const value = parameter((input) => codec.toParameter(read(input)));
  // As text, the locale of the database would decide what its digits mean.
  return model.base === 'money' && model.isArray !== true
    ? sql`cast(cast(${value} as numeric) as money)`
    : value;
}

/** The notations in which rows may have a value of a column. */
export function notationsOf(
  column: TableColumnInfo,
  dialect: Dialect,
  read: (input: QueryInput) => unknown,
): readonly [Expression, ...Expression[]] {
  const value = valueOf(column, read);
  const convert = dialect === 'sqlite' ? otherNotation(column.model) : undefined;
  if (convert === undefined) return [value];
  return [value, parameter((input) => convert(column.codec.toParameter(read(input))))];
}

/** Converts a value to the other one that other programs may have written for it; undefined for most columns. */
function otherNotation(model: ColumnModel): ((value: SqlValue) => SqlValue) | undefined {
  if (model.type === 'binary') return (value) => (value instanceof Uint8Array ? textOfBytes(value) : value);
  if (isUntyped(model)) return (value) => (typeof value === 'string' ? numberOf(value) : value);
  if (model.type === 'uuid') return (value) => (typeof value === 'string' ? value.toUpperCase() : value);
  return undefined;
}

/** The text of which a value is the bytes, as SQLite stores texts in columns of bytes; other bytes are returned as they are. */
function textOfBytes(value: Uint8Array): SqlValue {
  const text = Buffer.from(value).toString();
  return isStorable(text) && Buffer.from(text).equals(value) ? text : value;
}

/** The number that responses have as this text; any other text is returned as it is. */
function numberOf(text: string): SqlValue {
  const number = Number(text);
  return String(number) === text && !Number.isNaN(number) ? numberParameter(number) : text;
}

/** The condition that a column has a value. */
export function equals(
  column: TableColumnInfo,
  dialect: Dialect,
  read: (input: QueryInput) => unknown,
  reference: Expression = compared(column),
): Expression {
  const [value, ...others] = notationsOf(column, dialect, read);
  return others.length === 0
    ? sql`${reference} = ${value}`
    : sql`${reference} in (${sql.join([value, ...others])})`;
}

/** The condition that a column has another value, or null. */
export function differs(
  column: TableColumnInfo,
  dialect: Dialect,
  read: (input: QueryInput) => unknown,
): Expression {
  const reference = compared(column);
  const operator = dialect === 'sqlite' ? sql`is not` : sql`is distinct from`;
  const others = notationsOf(column, dialect, read).map((value) => sql`${reference} ${operator} ${value}`);
  return sql`(${sql.join(others, sql` and `)})`;
}

export function and(conditions: readonly Expression[]): Expression {
  return conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`;
}

/** The default of a column is SQL of the database itself. */
export function defaultValue({ model }: TableColumnInfo): Expression {
  return model.default === undefined ? sql`null` : sql`(${sql.raw(model.default)})`;
}
