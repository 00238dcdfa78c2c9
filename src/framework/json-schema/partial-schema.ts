import { listOf } from '../values/config-object';
import { mapSubschemas, type SchemaNode } from './subschemas';

/** Keywords that only apply to complete values. */
const WHOLE: ReadonlySet<string> = new Set([
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
  const kept = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !WHOLE.has(keyword)));
  // Without `required`, several branches may match.
  return oneOf === undefined ? kept : { ...kept, allOf: [...listOf(kept.allOf), { anyOf: oneOf }] };
}
