import { isPlainObject } from '../../../framework';

/**
 * Merges configuration over a declaration in code: objects merge member by member, all else is replaced. Values
 * that only code can hold (classes, functions) are kept. In a schema, null removes a member; elsewhere the null is
 * kept, so that an inheriting version does not get the value back (see `withoutNulls`).
 */
export function overlay(declared: unknown, configured: unknown, location: Location = 'definition'): unknown {
  if (!isPlainObject(declared) || !isPlainObject(configured)) return configured;
  const merged: Record<PropertyKey, unknown> = { ...declared };
  for (const [key, value] of Object.entries(configured)) {
    if (value === null && location === 'schema') Reflect.deleteProperty(merged, key);
    else
      merged[key] = Object.hasOwn(declared, key)
        ? overlay(declared[key], value, childLocation(location, key))
        : value;
  }
  return merged;
}

/** What a value is: definitions by name, part of a definition, schemas by name, or part of a schema. */
type Location = 'definitions' | 'definition' | 'schemas' | 'schema';

function childLocation(location: Location, key: string): Location {
  if (location === 'definitions') return 'definition';
  if (location !== 'definition' || SCHEMAS.includes(key)) return 'schema';
  if (key === 'services') return 'definitions';
  return key === 'schemas' ? 'schemas' : 'definition';
}

/** Keys of services and operations that hold schemas, in which null may be a value. */
const SCHEMAS: readonly string[] = [
  'fields',
  'input',
  'query',
  'response',
  'parameters',
  'cursor',
  'examples',
];

/** The levels of a definition from which null removes members; `*` is any name. */
interface Levels {
  readonly [key: string]: Levels;
}

const operation: Levels = { uploads: {} };
const operations: Levels = { '*': operation };
const service: Levels = { ...operation, collection: operations, entity: operations, methods: operations };
const api: Levels = {
  license: {},
  contact: {},
  cors: {},
  versions: { '*': { schemas: {}, services: { '*': service } } },
};

/** Returns an API definition without the members that null removed. Without a null, nothing is copied. */
export function withoutNulls(definition: unknown, levels: Levels = api): unknown {
  if (!isPlainObject(definition)) return definition;
  let changed: Record<string, unknown> | undefined;
  for (const key of Object.keys(definition)) {
    const value = definition[key];
    const inner = Object.hasOwn(levels, key) ? levels[key] : levels['*'];
    const kept = inner === undefined ? value : withoutNulls(value, inner);
    if (kept !== value) (changed ??= { ...definition })[key] = kept;
    else if (value === null) Reflect.deleteProperty((changed ??= { ...definition }), key);
  }
  return changed ?? definition;
}
