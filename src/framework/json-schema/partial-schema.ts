import { listOf } from '../values/config-object';
import { mapSubschemas, type SchemaNode } from './subschemas';

/** Keywords that only apply to complete values. */
const COMPLETE_ONLY: ReadonlySet<string> = new Set([
  'required',
  'minProperties',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'then',
  'else',
  'not',
]);

/** Derives the schema for one layer of configuration: present values must match, and none is required. */
export function partialSchema(schema: SchemaNode): SchemaNode {
  const { oneOf, ...rest } = mapSubschemas(schema, partialSchema);
  const partial = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !COMPLETE_ONLY.has(keyword)));
  // Without `required`, several branches may match.
  return oneOf === undefined ? partial : { ...partial, allOf: [...listOf(partial.allOf), { anyOf: oneOf }] };
}
