import { mapSubschemas, type SchemaNode } from './subschemas';

/** What only the whole can be held to. */
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

/** A schema for one layer of configuration: every value there is must fit, but none must be there. */
export function partialSchema(schema: SchemaNode): SchemaNode {
  const { oneOf, ...rest } = mapSubschemas(schema, partialSchema);
  const kept = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !WHOLE.has(keyword)));
  // Without what is required, several branches may fit.
  return oneOf === undefined ? kept : { ...kept, allOf: [...listOf(kept.allOf), { anyOf: oneOf }] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
