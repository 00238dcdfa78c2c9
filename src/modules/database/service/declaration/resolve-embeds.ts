import { ConfigurationError } from '../../../../framework';
import type { Dialect } from '../../adapters/database-adapter';
import type { DatabaseModel, TableModel } from '../../introspection/table-model';
import { resolveColumn } from './resolve-column';
import type { EntityEmbed, TableColumnInfo } from '../../table/table';
import type { TableServiceDefinition } from './table-definition';

export interface EmbedContext extends DatabaseModel {
  readonly dialect: Dialect;
  readonly where: string;
}

/**
 * Resolves the rows that clients can embed.
 * @throws ConfigurationError for a column that is not a foreign key, unknown columns, and a name that is taken
 */
export function entityEmbedsOf(
  declared: TableServiceDefinition,
  columns: readonly TableColumnInfo[],
  model: TableModel,
  context: EmbedContext,
): readonly EntityEmbed[] {
  const taken = new Set<string>();
  return columns.flatMap((column) => {
    const embed = declared.columns[column.name]?.embed;
    if (embed === undefined || embed === null) return [];
    const at = `${context.where}: columns.${column.name}.embed`;
    const key = model.foreignKeys.find((one) => one.columns.length === 1 && one.columns[0] === column.name);
    const target = key === undefined ? undefined : context.tables[key.table];
    const reference = key?.references[0];
    if (target === undefined || reference === undefined) {
      const isPart = model.foreignKeys.some(({ columns: of }) => of.length > 1 && of.includes(column.name));
      throw new ConfigurationError(
        `${at}: the column "${column.name}" is ${isPart ? 'part of a foreign key of several columns, which "embed" does not support' : 'not a foreign key to another table'}.`,
      );
    }
    const name = embed.name ?? column.name.replace(/_id$/, '');
    const isColumn = columns.some((one) => one.name === name);
    if (isColumn || taken.has(name)) {
      throw new ConfigurationError(
        `${at}: the member "${name}" ${isColumn ? 'is a column' : 'exists already'}. Give the embedded entity another name: "name": "${name}_entity".`,
      );
    }
    taken.add(name);
    const members = embeddedColumns(target, embed.columns, { ...context, where: at });
    const alias = `$entity.${taken.size}`;
    return [{ kind: 'entity', name, alias, column, target: target.name, reference, columns: members }];
  });
}

/** @throws ConfigurationError for unknown columns, and for binary ones, which JSON functions do not support */
export function embeddedColumns(
  target: TableModel,
  names: readonly string[],
  { dialect, where }: EmbedContext,
): readonly TableColumnInfo[] {
  const columns = names.map((name) => resolveColumn(target, name, {}, dialect, where));
  const binary = columns.find(({ model: { type } }) => type === 'binary');
  if (binary === undefined) return columns;
  throw new ConfigurationError(`${where}: the column "${binary.name}" is binary and cannot be embedded.`);
}
