import { visitSubschemas, type SchemaNode } from './subschemas';

/** The keywords that readers of schemas look for before they walk through one. */
const TRACKED = [
  '$ref',
  'anyOf',
  'contains',
  'default',
  'format',
  'if',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'readOnly',
  'unevaluatedItems',
  'unevaluatedProperties',
  'writeOnly',
] as const;

/** A keyword that is looked for. */
export type TrackedKeyword = (typeof TRACKED)[number];

const BITS = new Map<string, number>(TRACKED.map((keyword, at) => [keyword, 1 << at]));

/** The schema that was walked through last, and the bits of its keywords: see `hasKeyword`. */
let last: SchemaNode | undefined;
let bits = 0;

/**
 * Returns whether any of some keywords occurs in a schema, at any depth. Most schemas have none that needs work. Steps
 * that prepare the same schema, one after the other, walk through it once.
 */
export function hasKeyword(schema: SchemaNode, ...keywords: readonly TrackedKeyword[]): boolean {
  if (schema !== last) {
    bits = bitsOf(schema);
    last = schema;
  }
  for (const keyword of keywords) if ((bits & (BITS.get(keyword) ?? 0)) !== 0) return true;
  return false;
}

function bitsOf(schema: SchemaNode): number {
  let bits = 0;
  visitSubschemas(schema, (_one, keywords) => {
    for (const keyword of keywords) bits |= BITS.get(keyword) ?? 0;
  });
  return bits;
}
