/**
 * Lays configuration over what code declares: records merge member by member, all else is replaced. What code
 * alone can hold (classes, functions) stays as it is.
 *
 * Null takes away. In a schema the member goes; elsewhere the null stays, so that a version which inherits does not
 * get again what was taken away from it (`withoutNulls`).
 */
export function overlay(declared: unknown, configured: unknown, at: Place = 'definition'): unknown {
  if (!isPlain(declared) || !isPlain(configured)) return configured;
  const merged: Record<PropertyKey, unknown> = { ...declared };
  for (const [key, value] of Object.entries(configured)) {
    if (value === null && at === 'schema') Reflect.deleteProperty(merged, key);
    else merged[key] = Object.hasOwn(declared, key) ? overlay(declared[key], value, below(at, key)) : value;
  }
  return merged;
}

/** What a value is: a part of a definition, schemas by name, or a part of a schema. */
type Place = 'definition' | 'schemas' | 'schema';

function below(at: Place, key: string): Place {
  if (at !== 'definition' || SCHEMAS.includes(key)) return 'schema';
  return key === 'schemas' ? 'schemas' : 'definition';
}

/** The keys of services and operations that hold schemas, in which null may be a value. */
const SCHEMAS: readonly string[] = [
  'fields',
  'input',
  'query',
  'response',
  'parameters',
  'cursor',
  'examples',
];

/** Where records of a definition stand that null may have taken something from; `*` is any name. */
interface Levels {
  readonly [key: string]: Levels;
}

const operations: Levels = { '*': {} };
const service: Levels = { collection: operations, entity: operations, methods: operations };
const api: Levels = { versions: { '*': { schemas: {}, services: { '*': service } } } };

/** The definition of an API without what null has taken away: versions, schemas, services, operations, and keys of them. */
export function withoutNulls(definition: unknown, levels: Levels = api): unknown {
  if (!isPlain(definition)) return definition;
  const kept = Object.entries(definition).flatMap(([key, value]): [string, unknown][] => {
    if (value === null) return [];
    const inner = levels[key] ?? levels['*'];
    return [[key, inner === undefined ? value : withoutNulls(value, inner)]];
  });
  return Object.fromEntries(kept);
}

export function isPlain(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
