import { formatKeyPath, type Configuration, type KeyPath } from '../../../../../framework';
import { HOSTING_KEY, type ServiceReference } from '../../../../hosting';
import type { DatabaseAdapter } from '../../../adapters/database-adapter';
import { mayChangeNewRows } from '../../../adapters/postgres/new-row-values';
import type { ColumnModel, TableModel } from '../../../introspection/table-model';
import { firstRevision } from '../../../query/write-statements';
import type { Table } from '../../../table/table';
import { readOnlyKey } from './read-only-key';
import type { TableServiceDefinition } from '../table-definition';
import { isCreating } from './unwritable-columns';

/**
 * Returns a warning for each column that needs a value and that a declaration does not name or excludes from requests, of
 * a service whose values no code sets.
 */
export async function unsetWarnings(
  declared: TableServiceDefinition,
  table: Table,
  model: TableModel,
  adapter: DatabaseAdapter,
  placeOf: (path: KeyPath) => string,
): Promise<readonly string[]> {
  if (!isCreating(declared, table)) return [];
  const set = [...table.rows.map(({ column }) => column), ...firstRevision(table)];
  const warnings = Object.entries(model.columns).flatMap(([name, column]) => {
    if (!needsValue(column) || set.some((one) => one.name === name)) return [];
    const named = table.columns.find((one) => one.name === name);
    const text = `the column "${name}" of ${table.name} is NOT NULL`;
    if (named === undefined)
      return [
        `${placeOf(['columns'])}: ${text}, has no default, and is not among these columns, so that no row can be created without it. Add the column, or give it a default.`,
      ];
    const path = readOnlyKey(declared, name);
    // The platform or the database sets what nobody else can set.
    if (path === undefined || !named.isSettable) return [];
    return [
      `${placeOf(path)}: ${text} and has no default, so that no row can be created without it. Remove this key, give the column a default, or set it in a hook.`,
    ];
  });
  if (warnings.length === 0 || adapter.dialect === 'sqlite') return warnings;
  return (await mayChangeNewRows(adapter, table.name)) ? [] : warnings;
}

function needsValue({ isNullable, isNullableKey = false, default: value, generated }: ColumnModel): boolean {
  return !isNullable && !isNullableKey && value === undefined && generated === undefined;
}

/** Returns the place of a key of a service for messages: in its file, or in its declaration in code. */
export function keyPlace(
  configuration: Configuration,
  { api, version, service }: ServiceReference,
  where: string,
): (path: KeyPath) => string {
  return (path) => {
    const full = [HOSTING_KEY, 'apis', api, 'versions', String(version), 'services', service, ...path];
    return configuration.valueAt(full) === undefined
      ? `${where}: ${formatKeyPath(path)}`
      : `${configuration.sourceOf(full)}: ${formatKeyPath(full)}`;
  };
}
