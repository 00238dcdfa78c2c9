import { closestMatch, ConfigurationError } from '../../../framework';
import type { Dialect } from '../adapters/database-adapter';
import type { TableModel } from '../introspection/table-model';
import { columnCodec } from '../schema/column-codec';
import { columnSchema, isReadOnly, type ColumnSettings } from '../schema/column-schema';
import type { TableColumnInfo } from './table';

/**
 * Resolves a column that a declaration names.
 * @param where the key that names it, for messages
 * @throws ConfigurationError for a column that the table does not have
 */
export function resolveColumn(
  table: TableModel,
  name: string,
  settings: ColumnSettings,
  dialect: Dialect,
  where: string,
): TableColumnInfo {
  const model = table.columns[name];
  if (model === undefined || !Object.hasOwn(table.columns, name)) {
    const names = Object.keys(table.columns);
    const suggestion = closestMatch(name, names);
    throw new ConfigurationError(
      `${where} names the column "${name}", which ${table.name} does not have.${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`} Available: ${names.join(', ')}.`,
    );
  }
  return {
    name,
    model,
    codec: columnCodec(name, model, dialect),
    schema: columnSchema(model, settings, dialect),
    isWritable: !isReadOnly(model, settings) && table.kind === 'table',
  };
}
