import { isDeepStrictEqual } from 'node:util';
import { isList, isSchema, listOf } from '../../../framework';
import type { JsonSchema } from './data';
import type { Resolve } from './type-name';

/** A member of an object schema. */
interface Member {
  readonly required: boolean;
  /** A union, where branches declare the member differently. */
  readonly schema: unknown;
}

type Members = ReadonlyMap<string, Member>;

const NONE: Members = new Map();

/**
 * Returns the members that a schema describes, by name: its own, those of `allOf`, and those of each branch of
 * a union. A union requires a member if each of its object branches requires it.
 * @param known results by schema: schemas may be recursive
 */
export function membersOfSchema(
  schema: unknown,
  resolve: Resolve,
  known = new Map<unknown, Members>(),
): Members {
  const computed = known.get(schema);
  if (computed !== undefined) return computed;
  // Ends recursion.
  known.set(schema, NONE);
  const { properties, required, allOf, anyOf, oneOf } = resolve(schema);
  const unions = [anyOf, oneOf].filter(isList);
  // Most schemas are those of plain values.
  if (!isSchema(properties) && allOf === undefined && unions.length === 0) return NONE;
  const own = isSchema(properties) ? ownMembers(properties, listOf(required)) : NONE;
  if (allOf === undefined && unions.length === 0) {
    known.set(schema, own);
    return own;
  }
  const within = (part: unknown): Members => membersOfSchema(part, resolve, known);
  const parts = [
    own,
    ...listOf(allOf).map(within),
    ...unions.map((list) =>
      membersOfUnion(
        list
          .map((part) => ({ members: within(part), isObject: resolve(part).type === 'object' }))
          .filter(({ members, isObject }) => members.size > 0 || isObject)
          .map(({ members }) => members),
        resolve,
      ),
    ),
  ];
  const all = new Map<string, Member>();
  for (const [name, one] of parts.flatMap((part) => [...part]))
    all.set(name, { ...one, required: one.required || (all.get(name)?.required ?? false) });
  for (const name of [required, ...listOf(allOf).map((part) => resolve(part).required)].flatMap(listOf)) {
    const one = typeof name === 'string' ? all.get(name) : undefined;
    if (typeof name === 'string' && one !== undefined) all.set(name, { ...one, required: true });
  }
  known.set(schema, all);
  return all;
}

function ownMembers(properties: JsonSchema, required: readonly unknown[]): Members {
  const members = new Map<string, Member>();
  for (const name of Object.keys(properties))
    members.set(name, { required: required.includes(name), schema: properties[name] });
  return members;
}

/** Merges the members of the branches of a union. */
function membersOfUnion(branches: readonly Members[], resolve: Resolve): Members {
  const names = new Set(branches.flatMap((branch) => [...branch.keys()]));
  const member = (name: string): Member => {
    const all = branches.flatMap((branch) => branch.get(name) ?? []);
    const schemas: unknown[] = [];
    for (const { schema } of all)
      if (!schemas.some((one) => isDeepStrictEqual(one, schema))) schemas.push(schema);
    return {
      required: all.length === branches.length && all.every(({ required }) => required),
      schema:
        schemas.length === 1 ? schemas[0] : { ...firstDescription(schemas.map(resolve)), anyOf: schemas },
    };
  };
  return new Map([...names].map((name) => [name, member(name)]));
}

/** Returns the first description among several schemas. */
function firstDescription(schemas: readonly JsonSchema[]): JsonSchema {
  const { description } = schemas.find((one) => one.description !== undefined) ?? {};
  return description === undefined ? {} : { description };
}
