import {
  ConfigurationError,
  isAnnotated,
  isObject,
  isSchema,
  memberAt,
  type KeyPath,
} from '../../../../../framework';
import { overlay } from '../../../../hosting';
import type { ColumnModel } from '../../../introspection/table-model';
import type { TableColumnInfo } from '../../../table/table';

/**
 * Whether a declaration excludes a column from requests.
 * @throws ConfigurationError if its documentation would tell otherwise
 */
export function isDeclaredReadOnly(declared: object, column: string, where: string): boolean {
  if (memberAt(declared, ['columns', column, 'read_only']) !== true)
    return readOnlySchemaKey(declared, column) !== undefined;
  const inFields = memberAt(declared, ['fields', 'properties', column, 'readOnly']);
  if (inFields === undefined || inFields === true) return true;
  throw new ConfigurationError(
    `${where}: fields.properties.${column}.readOnly declares that clients can write the column "${column}", and columns.${column}.read_only excludes it from requests. Remove one of these keys.`,
  );
}

/**
 * @param isCounter whether each change of a row increments the column
 * @throws ConfigurationError if the documentation would show a column as writable that clients cannot set
 */
export function assertFieldReadOnly(
  declared: object,
  { name, model }: Pick<TableColumnInfo, 'name' | 'model'>,
  isCounter: boolean,
  where: string,
): void {
  const inFields = memberAt(declared, ['fields', 'properties', name, 'readOnly']);
  if (inFields === undefined || inFields === true) return;
  const isFixed = (memberAt(declared, ['rows', name]) ?? null) !== null;
  const reason = isCounter
    ? 'which each change increments'
    : isFixed
      ? 'which rows sets'
      : generatedBy(model);
  if (reason === undefined) return;
  throw new ConfigurationError(
    `${where}: fields.properties.${name}.readOnly declares that clients can write the column "${name}", ${reason}. Remove this key.`,
  );
}

/** Why no client can write a column; undefined if one can. */
function generatedBy({ generated, type, declared }: ColumnModel): string | undefined {
  if (generated === 'identity') return 'whose values the database assigns';
  if (generated === 'always') return 'which the database computes';
  return type === 'other' ? `whose type, ${declared || 'unknown'}, is only read` : undefined;
}

/** Returns the key of a declaration that excludes a column from requests, if one does. */
export function readOnlyKey(declared: object, column: string): KeyPath | undefined {
  const own = ['columns', column, 'read_only'];
  return memberAt(declared, own) === true ? own : readOnlySchemaKey(declared, column);
}

/** Returns the key of the schema that excludes a column from requests, if it does. */
export function readOnlySchemaKey(declared: object, column: string): KeyPath | undefined {
  const paths = { schema: ['columns', column, 'schema'], field: ['fields', 'properties', column] };
  const [schema, field] = [memberAt(declared, paths.schema), memberAt(declared, paths.field)];
  // Fields replace keywords of the schema, also with null.
  if (!isAnnotatedReadOnly(isObject(field) ? overlay(schema ?? {}, field, 'schema') : schema))
    return undefined;
  const path = isAnnotatedReadOnly(field) ? paths.field : paths.schema;
  const keyword = [...path, 'readOnly'];
  return memberAt(declared, keyword) === true ? keyword : path;
}

function isAnnotatedReadOnly(schema: unknown): boolean {
  return isSchema(schema) && isAnnotated(schema, schema, 'readOnly');
}
