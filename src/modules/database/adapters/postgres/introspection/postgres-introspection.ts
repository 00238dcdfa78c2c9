import { applyChecks, checksIn } from '../../../introspection/apply-checks';
import type { DatabaseModel, ForeignKeyModel, TableModel } from '../../../introspection/table-model';
import type { Row } from '../../database-adapter';
import { columnModel, type ColumnRow, comparesExactly } from './column-model';
import { INTROSPECTION } from './introspection-query';
import { qualifiedName } from '../qualified-name';

interface Owner {
  readonly schema: string;
  /** Whether the schema is the default one. */
  readonly is_default: boolean;
}

interface TableRow extends Owner {
  readonly name: string;
  readonly is_view: boolean;
  readonly is_materialized: boolean;
  readonly comment: string | null;
  /** JSON, and so are the following. */
  readonly columns: string | null;
  readonly indexes: string | null;
  readonly foreign_keys: string | null;
  readonly checks: string | null;
  /** The expression of a full-text index, as SQL. */
  readonly search_expression: string | null;
  readonly is_changed_by_triggers: boolean;
}

interface IndexRow {
  readonly method: string;
  readonly is_unique: boolean;
  readonly is_primary: boolean;
  /** Whether it is checked before the commit. */
  readonly is_immediate: boolean;
  readonly columns: readonly string[];
}

interface ForeignKeyRow extends Owner {
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
}

/** Reads the tables and views of a database. @param read executes a statement */
export async function introspectPostgres(
  read: (text: string) => Promise<readonly Row[]>,
): Promise<DatabaseModel> {
  const rows = (await read(INTROSPECTION)) as unknown as readonly TableRow[];
  const models = rows.map(tableModel);
  return { tables: Object.fromEntries(models.map((model) => [model.name, model])) };
}

function tableModel(row: TableRow): TableModel {
  const columns = parseList(row.columns) as readonly ColumnRow[];
  const indexes = parseList(row.indexes) as readonly IndexRow[];
  // Others serve neither a range nor an order.
  const sorted = indexes.filter(({ method }) => method === 'btree');
  const fullText = fullTextOf(columns, indexes, row.search_expression);
  const deferrable = indexes.filter(({ is_unique, is_immediate }) => is_unique && !is_immediate);
  return {
    name: qualified(row, row.name),
    kind: row.is_view ? 'view' : 'table',
    ...(row.is_materialized ? { isMaterialized: true } : {}),
    ...(row.comment === null ? {} : { comment: row.comment }),
    columns: columnsOf(columns, parseList(row.checks) as readonly string[]),
    primaryKey: indexes.find(({ is_primary }) => is_primary)?.columns ?? [],
    unique: indexes
      .filter(({ is_unique, is_primary }) => is_unique && !is_primary)
      .map((index) => index.columns),
    ...(deferrable.length === 0 ? {} : { deferrable: deferrable.map((index) => index.columns) }),
    indexes: sorted.map((index) => index.columns),
    foreignKeys: (parseList(row.foreign_keys) as readonly ForeignKeyRow[]).map(foreignKeyModel),
    ...(fullText === undefined ? {} : { fullText }),
    ...(row.is_changed_by_triggers ? { isChangedByTriggers: true } : {}),
  };
}

function columnsOf(rows: readonly ColumnRow[], checks: readonly string[]): TableModel['columns'] {
  const inexact = new Set(rows.filter((row) => !comparesExactly(row)).map(({ name }) => name));
  const ofDomains = rows.flatMap(({ name, domain_checks }) =>
    // A domain names its value so.
    checksIn(domain_checks).flatMap(([value, check]) => (value === 'VALUE' ? [[name, check] as const] : [])),
  );
  return applyChecks(
    Object.fromEntries(rows.map((row) => [row.name, columnModel(row)])),
    [...checksIn(checks), ...ofDomains],
    (name) => !inexact.has(name),
  );
}

function foreignKeyModel(row: ForeignKeyRow): ForeignKeyModel {
  return { columns: row.columns, table: qualified(row, row.table), references: row.references };
}

/**
 * A `tsvector` column with an index for it, or an expression with one, and its configuration if it is computed with one.
 */
function fullTextOf(
  columns: readonly ColumnRow[],
  indexes: readonly IndexRow[],
  expression: string | null,
): TableModel['fullText'] {
  const indexed = new Set(
    indexes.filter(({ method }) => method === 'gin' || method === 'gist').map((index) => index.columns[0]),
  );
  const column = columns.find(({ name, type }) => type === 'tsvector' && indexed.has(name));
  if (column === undefined && expression === null) return undefined;
  const [, configuration] =
    /to_tsvector\('((?:[^']|'')+)'::regconfig/.exec(
      (column === undefined ? expression : column.default) ?? '',
    ) ?? [];
  return {
    name: column?.name ?? expression ?? '',
    ...(column === undefined ? { isExpression: true } : {}),
    ...(configuration === undefined ? {} : { configuration }),
  };
}

function qualified({ schema, is_default }: Owner, name: string): string {
  return qualifiedName(is_default ? [name] : [schema, name]);
}

function parseList(json: string | null): readonly unknown[] {
  return json === null ? [] : (JSON.parse(json) as readonly unknown[]);
}
