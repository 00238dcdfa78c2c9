import { COMPOSITIONS, mapDiscriminator, mapSubschemas } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import { keyOf } from './definitions';

/** Keywords of schemas that become components; a bare `{ "type": "string" }` is clearer inline. */
const STRUCTURE: readonly string[] = ['properties', 'items', ...COMPOSITIONS, '$defs', '$id', '$ref'];

/** Keywords that have no or another meaning in components. */
const DROPPED: readonly string[] = ['$schema', '$id', '$anchor', '$defs', 'definitions'];

/** A pointer to the definitions of a schema. */
const DEFINITIONS = /^\/(?:\$defs|definitions)\//;

/** Maps the references of one schema to components. */
export interface ReferenceScope {
  has(key: string): boolean;
  get(key: string): string | undefined;
}

/**
 * Converts a schema to the content of a component.
 * @param inside converts subschemas
 */
export function contentOf(
  schema: JsonSchema,
  scope: ReferenceScope,
  inside: (inner: JsonSchema) => JsonSchema,
): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !DROPPED.includes(keyword));
  const { $ref: reference, ...siblings } = {
    ...mapSubschemas(Object.fromEntries(entries), inside),
    // Names of components stay.
    ...mapDiscriminator(schema, (to) => targetOf(to, scope) ?? (to.startsWith('#') ? undefined : to)),
  };
  // External references would make every reader of the document fetch them.
  const target = typeof reference === 'string' ? targetOf(reference, scope) : undefined;
  return target === undefined ? siblings : { $ref: target, ...siblings };
}

export function hasStructure(schema: JsonSchema): boolean {
  return STRUCTURE.some((keyword) => keyword in schema);
}

/** Removes the example if it is documented next to the schema. */
export function withoutExample(schema: JsonSchema, example: unknown): JsonSchema {
  const { examples, ...bare } = schema;
  return example !== undefined && JSON.stringify(examples) === JSON.stringify([example]) ? bare : schema;
}

function targetOf(reference: string, scope: ReferenceScope): string | undefined {
  const known = keyOf(reference, scope);
  const name = known === undefined ? undefined : scope.get(known);
  if (known === undefined || name === undefined) return undefined;
  const rest = reference.slice(known.length);
  // Components have no definitions: this one does not exist.
  if (DEFINITIONS.test(rest)) return undefined;
  return `#/components/schemas/${name}${rest}`;
}

export function referenceTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
