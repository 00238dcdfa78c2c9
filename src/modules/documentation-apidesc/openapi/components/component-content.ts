import {
  COMPOSITIONS,
  definitionReference,
  formatFragment,
  formatPointer,
  isSchema,
  mapDiscriminator,
  mapSubschemas,
  memberAt,
} from '../../../../framework';
import type { JsonSchema } from '../../../documentation';
import { locate } from './definitions';

/** Keywords of schemas that become components; a bare `{ "type": "string" }` is clearer inline. */
const STRUCTURE: readonly string[] = ['properties', 'items', ...COMPOSITIONS, '$defs', '$id', '$ref'];

/** Keywords that have no or another meaning in components. */
const DROPPED: readonly string[] = ['$schema', '$id', '$anchor', '$defs', 'definitions'];

/** Maps the references of one schema to components. */
export interface ReferenceScope {
  has(key: string): boolean;
  /** Returns the name of the component. */
  get(key: string): string | undefined;
  schemaOf(key: string): JsonSchema | undefined;
  /** Makes a component of an inner schema, and returns its name. @param name the proposed one */
  hoist(inner: JsonSchema, name: string): string;
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
    ...mapDiscriminator(
      schema,
      (to) => targetOf(to, scope) ?? (to.startsWith('#') ? undefined : named(to, scope)),
    ),
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

/** A name in the mapping of a discriminator is that of a definition or, for readers of the document, of a component. */
function named(name: string, scope: ReferenceScope): string {
  return targetOf(definitionReference(name), scope) ?? name;
}

function targetOf(reference: string, scope: ReferenceScope): string | undefined {
  const located = locate(reference, scope);
  const name = located === undefined ? undefined : scope.get(located.key);
  if (located === undefined || name === undefined) return undefined;
  const { key, below } = located;
  if (below.length === 0) return referenceTo(name).$ref;
  const whole = scope.schemaOf(key) ?? {};
  if (keeps(whole, below)) return formatFragment(['components', 'schemas', name, ...below]);
  const target = memberAt(whole, below);
  return isSchema(target) ? referenceTo(scope.hoist(target, below.at(-1) ?? name)).$ref : undefined;
}

/** Whether a component has a subschema at its place: definitions are removed, and deeper schemas may be in another component. */
function keeps(schema: JsonSchema, below: readonly string[]): boolean {
  const pointer = formatPointer(below);
  let isKept = false;
  mapSubschemas(schema, (one, ...steps) => {
    if (!DROPPED.includes(String(steps[0])) && formatPointer(steps) === pointer) isKept = true;
    return one;
  });
  return isKept;
}

export function referenceTo(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
