import { mapDiscriminator, mapSubschemas } from '../../../framework';
import type { JsonSchema } from '../../documentation';
import { keyOf } from './definitions';

/** Keywords that make a schema worth a name; a bare `{ "type": "string" }` is clearer where it stands. */
const STRUCTURE: readonly string[] = [
  'properties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
  '$defs',
  '$id',
  '$ref',
];

/** Keywords that lose their meaning, or change it, inside a document with components. */
const DROPPED: readonly string[] = ['$schema', '$id', '$anchor', '$defs', 'definitions'];

/** Where the references of one schema lead: what was written, and the component that it means. */
export interface Scope {
  has(key: string): boolean;
  get(key: string): string | undefined;
}

/**
 * What a schema says as a component, or as a part of one.
 * @param inside what becomes of the schemas in it
 */
export function contentOf(
  schema: JsonSchema,
  scope: Scope,
  inside: (inner: JsonSchema) => JsonSchema,
): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !DROPPED.includes(keyword));
  const { $ref: reference, ...beside } = {
    ...mapSubschemas(Object.fromEntries(kept), inside),
    // A name of a component stays one.
    ...mapDiscriminator(schema, (to) => targetOf(to, scope) ?? (to.startsWith('#') ? undefined : to)),
  };
  // A reference to something outside would make every reader of the document fetch it.
  const target = typeof reference === 'string' ? targetOf(reference, scope) : undefined;
  return target === undefined ? beside : { $ref: target, ...beside };
}

export function hasStructure(schema: JsonSchema): boolean {
  return STRUCTURE.some((keyword) => keyword in schema);
}

/** A schema without the example that stands beside it. */
export function withoutExample(schema: JsonSchema, example: unknown): JsonSchema {
  const { examples, ...bare } = schema;
  return example !== undefined && JSON.stringify(examples) === JSON.stringify([example]) ? bare : schema;
}

function targetOf(reference: string, scope: Scope): string | undefined {
  const known = keyOf(reference, scope);
  const name = known === undefined ? undefined : scope.get(known);
  if (known === undefined || name === undefined) return undefined;
  return `#/components/schemas/${name}${reference.slice(known.length)}`;
}

export function referenceTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
