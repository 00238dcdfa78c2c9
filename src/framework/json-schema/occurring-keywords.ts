import { recently } from '../values/recently';
import { KEYWORDS } from './keywords';
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

/** The bits of keywords: none for those that nobody looks for. */
const BITS = new Map<string, number>([
  ...[...KEYWORDS].map((keyword) => [keyword, 0] as const),
  ...TRACKED.map((keyword, at) => [keyword, 1 << at] as const),
]);

/** The bit of keywords that do not exist, and are not extensions either. */
const UNKNOWN = 1 << TRACKED.length;

/** The schemas of a service and their parts, which several of them have in common. */
const RECENT = 16;

/**
 * Returns whether any of some keywords occurs in a schema, at any depth. Most schemas have none that needs work. Steps
 * that prepare the same schema, or one that contains it, walk through it once.
 */
export function hasKeyword(schema: SchemaNode, ...keywords: readonly TrackedKeyword[]): boolean {
  const bits = bitsOf(schema);
  for (const keyword of keywords) if ((bits & (BITS.get(keyword) ?? 0)) !== 0) return true;
  return false;
}

/** Returns whether a keyword occurs in a schema, at any depth, that does not exist and does not begin with `x-`. */
export function hasUnknownKeyword(schema: SchemaNode): boolean {
  return (bitsOf(schema) & UNKNOWN) !== 0;
}

const bitsOf = recently(RECENT, (schema: SchemaNode): number => {
  let bits = 0;
  visitSubschemas(schema, (one, keywords) => {
    // Objects are what schemas have in common: the entity and the list of entities, for example.
    if (one !== schema && one.properties !== undefined) {
      bits |= bitsOf(one);
      return false;
    }
    for (const keyword of keywords) bits |= BITS.get(keyword) ?? (keyword.startsWith('x-') ? 0 : UNKNOWN);
    return true;
  });
  return bits;
});
