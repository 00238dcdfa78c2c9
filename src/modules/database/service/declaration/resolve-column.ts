import { didYouMean, ConfigurationError } from '../../../../framework';
import type { Dialect } from '../../adapters/database-adapter';
import type { TableModel } from '../../introspection/table-model';
import { hasStoredPosition } from '../../schema/canonical-notation';
import { columnCodec } from '../../schema/column-codec';
import { hasNoOrder } from '../../schema/column-order';
import { columnSchema, isReadOnly, type ColumnSettings } from '../../schema/column-schema';
import type { TableColumnInfo } from '../../table/table';

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
    throw new ConfigurationError(
      `${where} names the column "${name}", which ${table.name} does not have.${suggestion(
        name,
        names.map((one) => ({ name: one })),
      )} Available: ${names.join(', ')}.`,
    );
  }
  return {
    name,
    model,
    codec: columnCodec(name, model, dialect),
    schema: columnSchema(model, settings, dialect),
    hasStoredPosition: hasStoredPosition(model, dialect),
    isSettable: !isReadOnly(model, {}) && table.kind === 'table',
    isWritable: !isReadOnly(model, settings) && table.kind === 'table',
  };
}

/** The sentence that suggests a column for a misspelt name; empty if none is similar. */
export function suggestion(name: string, columns: readonly { readonly name: string }[]): string {
  return didYouMean(
    name,
    columns.map((one) => one.name),
  );
}

/** @throws ConfigurationError for a sort key that is not a column, or has no order */
export function assertSortable(
  sort: readonly string[],
  columns: readonly TableColumnInfo[],
  where: string,
): void {
  for (const name of sort) {
    const column = columns.find((one) => one.name === name);
    if (column === undefined) {
      throw new ConfigurationError(
        `${where}: collection.GET.sort names "${name}", which is not among its columns: ${columns.map((one) => one.name).join(', ')}.${suggestion(name, columns)}`,
      );
    }
    assertOrdered(column, `${where}: collection.GET.sort`);
  }
}

/** @param where the key that names it, for messages @throws ConfigurationError for a column that has no order */
export function assertOrdered({ name, model }: TableColumnInfo, where: string): void {
  if (!hasNoOrder(model)) return;
  throw new ConfigurationError(
    `${where} names "${name}", which is of the type ${model.declared || 'unknown'} and cannot be sorted. Remove it.`,
  );
}
