import { recently } from '../values/recently';
import { KEYWORDS } from './keywords';
import { isSchema, visitSubschemas, type SchemaNode } from './subschemas';

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

/** The schemas of a service, and their members, which several of them have in common. */
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
  const found = { bits: 0 };
  visitSubschemas(schema, collect, found);
  return found.bits;
});

/** Members are what schemas have in common: an entity, one to create and one to read, for example. */
const bitsOfMembers = recently(RECENT, (members: SchemaNode): number => {
  const found = { bits: 0 };
  for (const name of Object.keys(members)) visitSubschemas(members[name], collect, found);
  return found.bits;
});

function collect(schema: SchemaNode, keywords: readonly string[], found: { bits: number }): unknown {
  for (const keyword of keywords) found.bits |= BITS.get(keyword) ?? (keyword.startsWith('x-') ? 0 : UNKNOWN);
  if (!isSchema(schema.properties)) return undefined;
  found.bits |= bitsOfMembers(schema.properties);
  return 'properties';
}
