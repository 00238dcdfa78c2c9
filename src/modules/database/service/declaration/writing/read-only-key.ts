import { memberAt, type KeyPath } from '../../../../../framework';

/** Returns the key of a declaration that excludes a column from requests, if one does. */
export function readOnlyKey(declared: object, column: string): KeyPath | undefined {
  const own = ['columns', column, 'read_only'];
  if (memberAt(declared, own) === true) return own;
  const inFields = ['fields', 'properties', column, 'readOnly'];
  // Fields replace keywords of the schema, also with null.
  const path =
    memberAt(declared, inFields) === undefined ? ['columns', column, 'schema', 'readOnly'] : inFields;
  return memberAt(declared, path) === true ? path : undefined;
}
