import {
  ConfigurationError,
  isAnnotated,
  isObject,
  isSchema,
  memberAt,
  type KeyPath,
} from '../../../../../framework';
import { overlay } from '../../../../hosting';

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
