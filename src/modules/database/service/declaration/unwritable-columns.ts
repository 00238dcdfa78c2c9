import {
  ConfigurationError,
  formatKeyPath,
  isObject,
  type Configuration,
  type KeyPath,
} from '../../../../framework';
import { HOSTING_KEY, type ServiceReference } from '../../../hosting';
import type { DatabaseAdapter } from '../../adapters/database-adapter';
import { DatabaseError } from '../../adapters/database-error';
import { partsOfName, quotedName } from '../../adapters/postgres/qualified-name';
import type { ColumnModel, TableModel } from '../../introspection/table-model';
import { firstRevision } from '../../query/write-statements';
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
  table: Pick<Table, 'name' | 'columns' | 'rows' | 'isKeyChosen'>,
  where: string,
): readonly string[] {
  const creates = isCreating({ collection, entity }, table);
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
    return declared[name]?.read_only === true
      ? []
      : [`${text}. Use another type, or declare it as "read_only": true.`];
  });
}

/** A PUT of an entity creates it only where clients choose the key. */
function isCreating(
  { collection = {}, entity = {} }: Pick<Declaration, 'collection' | 'entity'>,
  { isKeyChosen }: Pick<Table, 'isKeyChosen'>,
): boolean {
  return (
    collection.POST !== undefined || collection.PUT !== undefined || (entity.PUT !== undefined && isKeyChosen)
  );
}

/** Returns the key of a declaration that excludes a column from requests, if one does. */
export function readOnlyKey(
  { columns, fields }: Pick<TableServiceDefinition, 'columns'> & { readonly fields?: unknown },
  column: string,
): KeyPath | undefined {
  const declared = { columns, fields };
  const own: KeyPath = ['columns', column, 'read_only'];
  if (valueAt(declared, own) === true) return own;
  const inFields: KeyPath = ['fields', 'properties', column, 'readOnly'];
  // Fields replace keywords of the schema, also with null.
  const path =
    valueAt(declared, inFields) === undefined ? ['columns', column, 'schema', 'readOnly'] : inFields;
  return valueAt(declared, path) === true ? path : undefined;
}

function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (at, key) => (isObject(at) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
}

/**
 * Returns a warning for each column that needs a value and that a declaration does not name or excludes from requests, of
 * a service whose values no code sets.
 */
export async function unsetWarnings(
  declared: Declaration,
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
  return warnings.length > 0 && (await isSetByDatabase(table.name, adapter)) ? [] : warnings;
}

function needsValue({ isNullable, isNullableKey = false, default: value, generated }: ColumnModel): boolean {
  return !isNullable && !isNullableKey && value === undefined && generated === undefined;
}

/** Whether other values than those of a statement may be stored as a new row, which SQLite does in views only. */
async function isSetByDatabase(table: string, adapter: DatabaseAdapter): Promise<boolean> {
  if (adapter.dialect === 'sqlite') return false;
  const name = partsOfName(table).map(quotedName).join('.');
  try {
    return (await adapter.execute(SET_BY_DATABASE, [name])).length > 0;
  } catch (error) {
    // A database that fails now is reported elsewhere.
    if (error instanceof DatabaseError) return true;
    throw error;
  }
}

/**
 * BEFORE triggers for each row of an INSERT, of partitions too (https://www.postgresql.org/docs/current/catalog-pg-trigger.html), rules
 * for INSERT, and foreign tables, whose rules another server checks.
 */
const SET_BY_DATABASE = {
  text: `SELECT 1 AS found FROM (SELECT to_regclass($1) AS oid) t WHERE
    EXISTS (
      SELECT FROM pg_trigger WHERE (tgrelid = t.oid OR tgrelid IN (SELECT relid FROM pg_partition_tree(t.oid)))
        AND NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 7 = 7
    )
    OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = t.oid AND ev_type = '3' AND ev_enabled <> 'D')
    OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.oid AND c.relkind = 'f')`,
  kind: 'read',
  adHoc: true,
} as const;

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
