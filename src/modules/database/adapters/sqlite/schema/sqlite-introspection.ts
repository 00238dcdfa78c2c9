import { applyChecks, checksIn } from '../../../introspection/apply-checks';
import type {
  ColumnModel,
  DatabaseModel,
  ForeignKeyModel,
  TableModel,
} from '../../../introspection/table-model';
import { defaultMember } from '../../../introspection/column-default';
import type { Row } from '../../database-adapter';
import { columnType } from './column-type';
import { changedByTriggers, type Trigger } from './changed-by-triggers';
import { checkDeclarations, collatedColumns, unquote } from './table-sql';

interface TableRow {
  readonly name: string;
  readonly type: 'table' | 'view' | 'virtual';
  readonly strict: number;
  readonly sql: string;
}

interface ColumnRow {
  readonly owner: string;
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  /** The position in the primary key, from 1; 0 for other columns. */
  readonly pk: number;
  /** 2 and 3: generated columns. */
  readonly hidden: number;
}

interface IndexRow {
  readonly owner: string;
  readonly index_name: string;
  readonly is_unique: number;
  /** `pk`, `u` (a constraint) or `c` (CREATE INDEX). */
  readonly origin: string;
  readonly partial: number;
  /** Null for an expression. */
  readonly column_name: string | null;
  readonly collation: string;
}

interface ForeignKeyRow {
  readonly owner: string;
  readonly id: number;
  readonly table: string;
  readonly from: string;
  /** Null for the primary key of the other table. */
  readonly to: string | null;
}

const OWNERS = `SELECT l.name, l.type, l.strict, s.sql FROM pragma_table_list l
  JOIN sqlite_schema s ON s.name = l.name AND s.type IN ('table', 'view')
  WHERE l.schema = 'main' AND l.type <> 'shadow' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY l.name`;

const COLUMNS = `SELECT t.name AS owner, x.name, x.type, x."notnull", x.dflt_value, x.pk, x.hidden
  FROM (${OWNERS}) t JOIN pragma_table_xinfo(t.name) x WHERE x.hidden <> 1 ORDER BY t.name, x.cid`;

const INDEXES = `SELECT t.name AS owner, i.name AS index_name, i."unique" AS is_unique, i.origin, i.partial,
  c.name AS column_name, c.coll AS collation FROM (${OWNERS}) t JOIN pragma_index_list(t.name) i JOIN pragma_index_xinfo(i.name) c
  WHERE c.key = 1 ORDER BY t.name, i.seq DESC, c.seqno`;

const FOREIGN_KEYS = `SELECT t.name AS owner, f.id, f."table", f."from", f."to"
  FROM (${OWNERS}) t JOIN pragma_foreign_key_list(t.name) f ORDER BY t.name, f.id DESC, f.seq`;

const TRIGGERS = "SELECT tbl_name AS owner, sql FROM sqlite_schema WHERE type = 'trigger'";

/** A name in an option of FTS5; two quotation marks in it are one. */
const OPTION_NAME = /("(?:[^"]|"")+"|'(?:[^']|'')+'|`(?:[^`]|``)+`|\[[^\]]+\]|\w+)/.source;

/** What a virtual table of FTS5 indexes. */
const FTS5 = new RegExp(String.raw`\busing\s+fts5\s*\(.*\bcontent\s*=\s*${OPTION_NAME}`, 'is');

/** The column by which a table of FTS5 refers to rows. */
const FTS5_KEY = new RegExp(String.raw`\bcontent_rowid\s*=\s*${OPTION_NAME}`, 'i');

/** A name, quoted too. */
const NAME = /^(?:[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])$/;

/** The names that are values. */
const CONSTANT = /^(?:null|true|false|current_(?:date|time|timestamp))$/i;

interface Rows {
  /** The names of tables and views as they are declared, by {@link folded}. */
  readonly names: ReadonlyMap<string, string>;
  /** The virtual tables. */
  readonly virtual: readonly TableRow[];
  readonly columns: ReadonlyMap<string, readonly ColumnRow[]>;
  readonly indexes: ReadonlyMap<string, readonly IndexRow[]>;
  readonly foreignKeys: ReadonlyMap<string, readonly ForeignKeyRow[]>;
  /** The names, by {@link folded}, of tables whose rows triggers may change after a write. */
  readonly changedByTriggers: ReadonlySet<string>;
}

function tablesChangedBy(triggers: readonly Trigger[]): ReadonlySet<string> {
  if (triggers.length === 0) return new Set();
  return changedByTriggers(triggers.map(({ owner, sql }) => ({ owner: folded(owner), sql: folded(sql) })));
}

/** Reads the tables and views of a database. @param read executes a statement */
export async function introspectSqlite(
  read: (text: string) => Promise<readonly Row[]>,
): Promise<DatabaseModel> {
  const owners = (await read(OWNERS)) as unknown as readonly TableRow[];
  const rows: Rows = {
    names: new Map(owners.map(({ name }) => [folded(name), name])),
    virtual: owners.filter(({ type }) => type === 'virtual'),
    columns: byOwner((await read(COLUMNS)) as unknown as readonly ColumnRow[]),
    indexes: byOwner((await read(INDEXES)) as unknown as readonly IndexRow[]),
    foreignKeys: byOwner((await read(FOREIGN_KEYS)) as unknown as readonly ForeignKeyRow[]),
    changedByTriggers: tablesChangedBy((await read(TRIGGERS)) as unknown as readonly Trigger[]),
  };
  const models = owners.filter(({ type }) => type !== 'virtual').map((owner) => tableModel(owner, rows));
  return {
    tables: Object.fromEntries(models.map((model) => [model.name, model])),
    ...(rows.virtual.length === 0 ? {} : { virtualTables: rows.virtual.map(({ name }) => name) }),
  };
}

function tableModel(owner: TableRow, rows: Rows): TableModel {
  const { name, sql } = owner;
  const columns = rows.columns.get(name) ?? [];
  const indexes = groupBy(rows.indexes.get(name) ?? [], ({ index_name }) => index_name).filter(isOfColumns);
  const collated = collatedColumns(sql);
  const unique = indexes.filter((index) => index[0]?.is_unique === 1 && isUniqueIn(collated, index));
  const isOfRows = indexes.every((index) => index[0]?.origin !== 'pk' || unique.includes(index));
  const primaryKey = isOfRows ? primaryKeyOf(columns) : [];
  const isRowid = isRowidAlias(columns, rows.indexes.get(name) ?? []);
  const fullText = fullTextOf(name, rows);
  return {
    name,
    kind: owner.type === 'view' ? 'view' : 'table',
    columns: applyChecks(
      Object.fromEntries(
        columns.map((column) => [column.name, columnModel(column, isRowid, owner.strict === 1)]),
      ),
      checksIn(checkDeclarations(sql).map(({ expression }) => expression)),
      (column) => !collated.has(column),
    ),
    primaryKey,
    unique: unique.filter(([index]) => index?.origin !== 'pk').map(columnsOf),
    indexes: [...(isRowid ? [primaryKey] : []), ...indexes.map(columnsOf)],
    foreignKeys: groupBy(rows.foreignKeys.get(name) ?? [], ({ id }) => id).map((key) =>
      foreignKeyModel(key, rows),
    ),
    ...(fullText === undefined ? {} : { fullText }),
    ...(rows.changedByTriggers.has(folded(name)) ? { isChangedByTriggers: true } : {}),
  };
}

function columnModel(row: ColumnRow, isRowid: boolean, isStrict: boolean): ColumnModel {
  const isKey = row.pk > 0;
  // SQLite allows NULL in some primary keys; such a row could not be addressed.
  const isNullable = row.notnull === 0 && !isKey;
  const generated = row.hidden > 1 ? 'always' : isKey && isRowid ? 'identity' : undefined;
  return {
    ...columnType(row.type),
    declared: row.type,
    // In any other table, it converts texts to numbers.
    ...(isStrict && row.type.toUpperCase() === 'ANY' ? { base: 'any' } : {}),
    isNullable,
    ...(row.notnull === 0 && isKey && !isRowid ? { isNullableKey: true } : {}),
    ...defaultMember(row.dflt_value === null ? null : defaultOf(row.dflt_value), isNullable),
    ...(generated === undefined ? {} : { generated }),
  };
}

/**
 * The expression of a default. SQLite takes a name that is one for a text; in a statement, it would be a column.
 * @param declared without the parentheses around an expression
 */
function defaultOf(declared: string): string {
  if (!NAME.test(declared) || CONSTANT.test(declared)) return declared;
  return `'${unquote(declared).replaceAll("'", "''")}'`;
}

function primaryKeyOf(columns: readonly ColumnRow[]): readonly string[] {
  const key = columns.filter(({ pk }) => pk > 0);
  return key.sort((left, right) => left.pk - right.pk).map(({ name }) => name);
}

/** Whether the primary key is the rowid, which SQLite assigns: an `INTEGER PRIMARY KEY`, which has no index. */
function isRowidAlias(columns: readonly ColumnRow[], indexes: readonly IndexRow[]): boolean {
  const key = columns.filter(({ pk }) => pk > 0);
  return (
    key.length === 1 &&
    key[0]?.type.toUpperCase() === 'INTEGER' &&
    indexes.every(({ origin }) => origin !== 'pk')
  );
}

const columnsOf = (index: readonly IndexRow[]): readonly string[] =>
  index.flatMap(({ column_name }) => column_name ?? []);

/** Whether an index serves all rows and consists of columns only. */
function isOfColumns(index: readonly IndexRow[]): boolean {
  return index.every(({ partial, column_name }) => partial === 0 && column_name !== null);
}

/** Whether texts that a unique index keeps apart are different to their columns as well, whose collation `=` has. */
function isUniqueIn(collated: ReadonlyMap<string, string>, index: readonly IndexRow[]): boolean {
  return index.every(({ column_name, collation }) => {
    const own = collated.get(column_name ?? '') ?? 'BINARY';
    return own === 'BINARY' || own === collation.toUpperCase();
  });
}

function foreignKeyModel(key: readonly ForeignKeyRow[], rows: Rows): ForeignKeyModel {
  const written = key[0]?.table ?? '';
  const table = rows.names.get(folded(written)) ?? written;
  const references = key.flatMap(({ to }) => to ?? []);
  return {
    columns: key.map(({ from }) => from),
    table,
    references: references.length > 0 ? references : primaryKeyOf(rows.columns.get(table) ?? []),
  };
}

function fullTextOf(name: string, { virtual }: Rows): TableModel['fullText'] {
  const index = virtual.find(({ sql }) => {
    const content = FTS5.exec(sql)?.[1];
    return content !== undefined && folded(unquote(content)) === folded(name);
  });
  if (index === undefined) return undefined;
  const key = FTS5_KEY.exec(index.sql)?.[1];
  return { name: index.name, ...(key === undefined ? {} : { key: unquote(key) }) };
}

/** What SQLite compares of a name: it ignores the case of ASCII letters only. */
function folded(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function byOwner<T extends { readonly owner: string }>(
  rows: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return new Map(groupBy(rows, ({ owner }) => owner).map((group) => [group[0]?.owner ?? '', group]));
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => unknown): readonly (readonly T[])[] {
  const groups = new Map<unknown, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}
