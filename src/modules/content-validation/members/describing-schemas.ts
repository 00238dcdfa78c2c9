import { isAnnotation, isSchema, type SchemaNode } from '../../../framework';
import type { Declaring } from './declared-members';

// Which of the schemas of an object describe one of its members.

/** Patterns that match every name, as TypeBox writes them. */
const EVERY_NAME = ['', '.*', '^.*$', '^(.*)$'];

/** Returns the schemas that may describe each declared member. */
export function describingByName(ofObjects: readonly Declaring[]): ReadonlyMap<string, readonly Declaring[]> {
  const byName = new Map<string, Declaring[]>();
  for (const one of ofObjects)
    for (const [name] of entriesOf(one.schema.properties)) {
      const others = byName.get(name);
      if (others === undefined) byName.set(name, [one]);
      else others.push(one);
    }
  // Of thousands of branches, few describe members that they do not name.
  const ofAll = ofObjects.filter(
    ({ schema }) => schema.patternProperties !== undefined || isSchema(otherMembersIn(schema)),
  );
  if (ofAll.length === 0) return byName;
  return new Map([...byName].map(([name, own]) => [name, [...new Set([...own, ...ofAll])]]));
}

/** Branches often refer to the same schema, which each of them would search again. */
export function distinct(schemas: readonly unknown[]): readonly unknown[] {
  return [...new Map(schemas.map((one) => [textOf(one) ?? one, one])).values()];
}

/** Returns the JSON of a schema without annotations; undefined for one that JSON cannot represent. */
function textOf(schema: unknown): string | undefined {
  if (!isSchema(schema)) return undefined;
  const assertions = Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword));
  try {
    return JSON.stringify(assertions);
  } catch {
    return undefined;
  }
}

/** Returns what a schema declares for a member by name, pattern, or for other members. */
export function memberIn(schema: SchemaNode, name: string): unknown {
  const { properties } = schema;
  const own = isSchema(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const matching = entriesOf(schema.patternProperties).filter(([pattern]) =>
    new RegExp(pattern, 'u').test(name),
  );
  const [found, ...more] = [...own, ...matching.map(([, one]) => one)];
  if (found !== undefined) return more.length === 0 ? found : { allOf: [found, ...more] };
  const others = otherMembersIn(schema);
  return isSchema(others) ? others : undefined;
}

/** Returns what a schema declares for other members; undefined if they are not allowed. */
export function otherMembersIn(schema: SchemaNode): unknown {
  const catchAll = entriesOf(schema.patternProperties).find(([pattern]) => EVERY_NAME.includes(pattern));
  const { additionalProperties: own, unevaluatedProperties: unevaluated } = schema;
  const declared = catchAll?.[1] ?? own ?? unevaluated;
  return declared === false ? undefined : declared;
}

export function entriesOf(value: unknown): readonly [string, unknown][] {
  return isSchema(value) ? Object.entries(value) : [];
}
