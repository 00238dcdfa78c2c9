import type { Table } from '../table';
import type { TableServiceDefinition } from './table-definition';

type Declaration = Pick<TableServiceDefinition, 'collection' | 'entity' | 'columns'>;

/**
 * Returns a warning for each column of a type without a mapping, which clients cannot write, if a service has
 * operations that write.
 * @param where service name, for messages
 */
export function unwritableWarnings(
  { columns: declared, collection = {}, entity = {} }: Declaration,
  table: Pick<Table, 'name' | 'columns' | 'rows'>,
  where: string,
): readonly string[] {
  const creates = collection.POST !== undefined || collection.PUT !== undefined || entity.PUT !== undefined;
  if (!creates && collection.PATCH === undefined && entity.PATCH === undefined) return [];
  return table.columns.flatMap(({ name, model }) => {
    const isFixed = table.rows.some(({ column }) => column.name === name);
    if (model.type !== 'other' || model.generated !== undefined || isFixed) return [];
    const type = model.declared === '' ? 'no type' : `the type ${model.declared}`;
    const text = `${where}: the column "${name}" of ${table.name} has ${type}, whose values clients can read and not write`;
    if (creates && !model.isNullable && model.default === undefined) {
      return [
        `${text}. It is NOT NULL and has no default, so that no row can be created. Give it a default, set it in a trigger or a hook, allow NULL, or use another type.`,
      ];
    }
    return declared[name]?.read_only === true
      ? []
      : [`${text}. Use another type, or declare it as "read_only": true.`];
  });
}
