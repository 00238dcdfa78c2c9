import {
  didYouMean,
  ConfigurationError,
  ConfigurationErrors,
  listNames,
  ownValue,
} from '../../../../framework';
import { identifierMembers } from '../../../hosting';
import type { Dialect } from '../../adapters/database-adapter';
import { quotedName } from '../../adapters/postgres/qualified-name';
import type { ColumnModel, DatabaseModel, TableModel } from '../../introspection/table-model';
import { isUntyped } from '../../adapters/sqlite/schema/column-type';
import { needsOrder } from '../../query/filters/filter-conditions';
import { needsText, type FilterOperator } from '../../query/filters/filter-operators';
import { hasNoOrder } from '../../schema/column-order';
import type { ColumnSettings } from '../../schema/column-schema';
import { assertSortable, resolveColumn, suggestion } from './resolve-column';
import { keysOf } from './resolve-keys';
import { entityEmbedsOf } from './resolve-embeds';
import { listEmbedsOf } from './resolve-list-embeds';
import { searchOf } from './resolve-search';
import { rowValue } from './row-value';
import { routeRestrictions } from '../row-restriction';
import { sqlFiltersOf } from './resolve-sql-filters';
import type { RowRevision, Table, TableColumnInfo, TableFilter } from '../../table/table';
import type { TableServiceDefinition } from './table-definition';
import { assertFieldReadOnly, isDeclaredReadOnly } from './writing/read-only-key';

/**
 * Resolves a declaration against the model of its table.
 * @param where service name, for messages
 * @throws ConfigurationError for unknown columns, and for filters that the type of a column does not have: all of them
 */
export function resolveTable(
  declared: TableServiceDefinition,
  { tables, virtualTables = [] }: DatabaseModel,
  dialect: Dialect,
  where: string,
): Table {
  const model = tableOf({ tables, virtualTables }, declared, where);
  const errors = new ConfigurationErrors();
  const find = (name: string, key: string, settings: ColumnSettings = {}): TableColumnInfo =>
    resolveColumn(model, name, settings, dialect, `${where}: ${key}`);
  const resolved = <T>(resolve: () => readonly T[]): readonly T[] => errors.collect(resolve) ?? [];
  const columnOf = (name: string, settings: ColumnSettings): TableColumnInfo => {
    const isCounter = name === declared.revision && countsChanges(model.columns[name]);
    const isExcluded = isCounter || isDeclaredReadOnly(declared, name, where);
    const column = find(name, 'columns', { ...settings, read_only: isExcluded });
    assertFieldReadOnly(declared, column, isCounter, where);
    return isCounter ? { ...column, isSettable: false } : column;
  };
  const columns = Object.entries(declared.columns).flatMap(([name, settings]) =>
    settings === null ? [] : resolved(() => [columnOf(name, settings)]),
  );
  const context = { tables, dialect, where };
  // Other keys that name an unknown column would repeat its error.
  const isUnknown = (name: string): boolean =>
    isDeclared(declared, name) && !columns.some((one) => one.name === name);
  const knownOf = <T>(settings: Readonly<Record<string, T>> = {}): readonly [string, T][] =>
    Object.entries(settings).filter(([name]) => !isUnknown(name));
  if (!Object.keys(declared.columns).some((name) => isDeclared(declared, name)))
    throw new ConfigurationError(`${where} has no columns. Name at least its key.`);
  const keys = identifierMembers(declared).some(isUnknown)
    ? []
    : resolved(() => keysOf(declared, columns, model, context));
  const entities = resolved(() => entityEmbedsOf(declared, columns, model, context));
  const rows = knownOf(declared.rows).flatMap(([name, value]) =>
    resolved(() => {
      const column = columns.find((one) => one.name === name) ?? find(name, 'rows');
      return [{ column, constant: rowValue(value, `${where}: rows.${name}`) }];
    }),
  );
  const filters = knownOf(declared.filters).flatMap(([name, operators]) =>
    resolved(() => filtersOf(name, operators ?? [], columns, { dialect, where })),
  );
  const sqlFilters = resolved(() => sqlFiltersOf(declared, dialect, where));
  const search = errors.collect(() => searchOf(declared, model, dialect, where));
  const taken = [...columns, ...entities].map(({ name }) => name);
  const lists = resolved(() => listEmbedsOf(declared, taken, model, context));
  for (const name of declared.collection?.GET?.sort ?? [])
    if (!isUnknown(name)) errors.collect(() => assertSortable([name], columns, where));
  const { revision: revisionName } = declared;
  const revision =
    revisionName === undefined || isUnknown(revisionName)
      ? undefined
      : errors.collect(() =>
          revisionOf(revisionName, columns, hasXmin(model, dialect), (name) => find(name, 'revision')),
        );
  errors.assertNone();
  const hiddenColumn = (name: string): TableColumnInfo | undefined =>
    Object.hasOwn(model.columns, name) ? find(name, 'route') : undefined;
  return {
    name: model.name,
    dialect,
    columns,
    keys,
    foreignKeys: model.foreignKeys,
    isKeyDeferrable: model.deferrable?.some((one) => isOf(one, keys)) ?? false,
    isKeyChosen: keys.every(({ column }) => column.isWritable && column.model.default === undefined),
    filters: [...filters, ...sqlFilters],
    search,
    embeds: [...entities, ...lists],
    rows: [...rows, ...routeRestrictions(declared.route, keys, columns, rows, hiddenColumn)],
    revision: revision ?? { kind: 'hash' },
    isChangedByTriggers: model.isChangedByTriggers ?? false,
  };
}

/** Whether a declaration has a column: null removes one that it inherits. */
function isDeclared({ columns }: TableServiceDefinition, name: string): boolean {
  return Object.hasOwn(columns, name) && columns[name] !== null;
}

/** @throws ConfigurationError for an unknown table, and for a virtual one */
function tableOf(
  { tables, virtualTables }: Required<Pick<DatabaseModel, 'tables' | 'virtualTables'>>,
  { table_name: name, adapter_name: adapter }: TableServiceDefinition,
  where: string,
): TableModel {
  const found = ownValue(tables, name);
  if (found !== undefined) return found;
  if (virtualTables.includes(name)) {
    throw new ConfigurationError(
      `${where}: ${name} is a virtual table, which has no declared types and no key. Use a view of it: CREATE VIEW … AS SELECT CAST(rowid AS INTEGER) AS id, CAST(… AS TEXT) AS … FROM ${quotedName(name)}.`,
    );
  }
  const names = Object.keys(tables);
  throw new ConfigurationError(
    `${where}: the database "${adapter}" has no table or view "${name}".${didYouMean(name, names)} Available: ${listNames(names)}.`,
  );
}

function filtersOf(
  name: string,
  operators: readonly FilterOperator[],
  columns: readonly TableColumnInfo[],
  { dialect, where }: { readonly dialect: Dialect; readonly where: string },
): readonly TableFilter[] {
  const column = columns.find((one) => one.name === name);
  if (column === undefined) {
    throw new ConfigurationError(
      `${where}: filters names "${name}", which is not among its columns: ${columns.map((one) => one.name).join(', ')}.${suggestion(name, columns)}`,
    );
  }
  const { model } = column;
  const isUnfiltered = hasNoOrder(model) && model.type !== 'other';
  return operators.map((operator) => {
    const isUnordered = needsOrder(operator) && dialect === 'sqlite' && isUntyped(model);
    if (isUnfiltered || isUnordered || (needsText(operator) && model.type !== 'text')) {
      throw new ConfigurationError(
        `${where}: the column "${name}" is of the type ${model.declared || 'unknown'}, which has no filter "${operator}".${isUnordered ? ' Give it a type, in a view with CAST(… AS TEXT) or CAST(… AS REAL).' : ''}`,
      );
    }
    return { parameter: `${name}.${operator}`, column, operator };
  });
}

function revisionOf(
  name: string,
  columns: readonly TableColumnInfo[],
  canBeXmin: boolean,
  find: (name: string) => TableColumnInfo,
): RowRevision {
  if (name === 'xmin' && canBeXmin) return { kind: 'xmin' };
  const column = columns.find((one) => one.name === name) ?? find(name);
  return { kind: 'column', column, isCounter: countsChanges(column.model) };
}

/** Whether rows are stored by PostgreSQL, and have its system column `xmin`, which changes with each of them. */
function hasXmin({ kind, isMaterialized }: TableModel, dialect: Dialect): boolean {
  return dialect === 'postgres' && (kind === 'table' || isMaterialized === true);
}

/** Whether each change increments a column that is the revision of a row. The database computes others by itself. */
function countsChanges(model: ColumnModel | undefined): boolean {
  return (model?.type === 'integer' || model?.type === 'bigint') && model.generated !== 'always';
}

function isOf(names: readonly string[], keys: Table['keys']): boolean {
  return names.length === keys.length && keys.every(({ column }) => names.includes(column.name));
}
