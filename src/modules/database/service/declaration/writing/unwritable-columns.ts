import { ConfigurationError } from '../../../../../framework';
import type { Table } from '../../../table/table';
import { readOnlyKey } from './read-only-key';
import type { TableServiceDefinition } from '../table-definition';

/**
 * Returns a warning for each column of a type without a mapping, which clients cannot write, if a service has
 * operations that write.
 * @param where service name, for messages
 */
export function unwritableWarnings(
  declared: TableServiceDefinition,
  table: Pick<Table, 'name' | 'columns' | 'rows' | 'isKeyChosen'>,
  where: string,
): readonly string[] {
  const { collection = {}, entity = {} } = declared;
  const creates = isCreating(declared, table);
  if (!creates && entity.PUT === undefined && collection.PATCH === undefined && entity.PATCH === undefined)
    return [];
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
    return readOnlyKey(declared, name) !== undefined
      ? []
      : [`${text}. Use another type, or declare it as "read_only": true.`];
  });
}

/** A PUT of an entity creates it only where clients choose the key. */
export function isCreating(
  { collection = {}, entity = {} }: Pick<TableServiceDefinition, 'collection' | 'entity'>,
  { isKeyChosen }: Pick<Table, 'isKeyChosen'>,
): boolean {
  return (
    collection.POST !== undefined || collection.PUT !== undefined || (entity.PUT !== undefined && isKeyChosen)
  );
}

/** The methods of a resource that write, by part and HTTP method. */
const WRITES = {
  collection: { POST: 'create', PUT: 'replaceList', PATCH: 'patchList', DELETE: 'deleteList' },
  entity: { PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
} as const;

/**
 * Views are read only: no column of them is written, so that a PATCH would change nothing, while a DELETE would delete rows
 * of the tables that the view selects from.
 *
 * @param isOverridden whether the author of the service has written a method of its resource
 * @throws ConfigurationError for operations that write
 */
export function assertNoViewWrites(
  declared: Pick<TableServiceDefinition, 'collection' | 'entity' | 'table_name'>,
  isOverridden: (method: string) => boolean,
  where: string,
): void {
  const writes = Object.entries(WRITES).flatMap(([part, methods]) =>
    Object.entries(methods)
      .filter(([name, method]) => {
        const operations: object = declared[part as keyof typeof WRITES] ?? {};
        return Reflect.get(operations, name) !== undefined && !isOverridden(method);
      })
      .map(([name]) => `${part} ${name}`),
  );
  if (writes.length === 0) return;
  throw new ConfigurationError(
    `${where} declares ${writes.join(', ')}, and ${declared.table_name} is a view, which is only read. Remove them, use the table, or override their methods in a resource.`,
  );
}
