import { ConfigurationError } from '../../../framework';
import type { Dialect } from '../adapters/database-adapter';
import type { DatabaseModel, TableModel } from '../introspection/table-model';
import { resolveColumn } from './resolve-column';
import type { TableColumnInfo, TableEmbed } from './table';
import type { TableServiceDefinition } from './table-definition';

interface EmbedContext extends DatabaseModel {
  readonly dialect: Dialect;
  readonly where: string;
}

/**
 * Resolves the rows that clients can embed.
 * @throws ConfigurationError for a column that is not a foreign key, unknown columns, and a name that is taken
 */
export function embedsOf(
  declared: TableServiceDefinition,
  columns: readonly TableColumnInfo[],
  model: TableModel,
  { tables, dialect, where }: EmbedContext,
): readonly TableEmbed[] {
  return columns.flatMap((column) => {
    const embed = declared.columns[column.name]?.embed;
    if (embed === undefined) return [];
    const at = `${where}: columns.${column.name}.embed`;
    const key = model.foreignKeys.find((one) => one.columns.length === 1 && one.columns[0] === column.name);
    const target = key === undefined ? undefined : tables[key.table];
    const reference = key?.references[0];
    if (target === undefined || reference === undefined) {
      throw new ConfigurationError(
        `${at}: the column "${column.name}" is not a foreign key to another table.`,
      );
    }
    const name = embed.name ?? column.name.replace(/_id$/, '');
    if (columns.some((one) => one.name === name)) {
      throw new ConfigurationError(
        `${at}: the member "${name}" is a column. Give the embedded entity another name: "name": "${name}_entity".`,
      );
    }
    const members = embed.columns.map((one) => resolveColumn(target, one, {}, dialect, at));
    const binary = members.find(({ model: { type } }) => type === 'binary');
    if (binary !== undefined)
      throw new ConfigurationError(`${at}: the column "${binary.name}" is binary and cannot be embedded.`);
    return [{ name, column, target: target.name, reference, columns: members }];
  });
}
