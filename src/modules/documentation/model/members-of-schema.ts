import { isDeepStrictEqual } from 'node:util';
import { isSchema } from '../../../framework';
import type { JsonSchema } from './data';
import type { Resolve } from './type-name';

/** What a schema of an object says of one of its members. */
interface Member {
  readonly required: boolean;
  /** Of several that the member may have: a choice of them. */
  readonly schema: unknown;
}

type Members = ReadonlyMap<string, Member>;

const NONE: Members = new Map();

/**
 * The members of what a schema describes, by name: its own, those of all parts of an `allOf`, and those of each branch of
 * a union. A member is required by a union where each of its objects requires it.
 * @param known of schemas that were read: they may lead to one another, and back
 */
export function membersOfSchema(
  schema: unknown,
  resolve: Resolve,
  known = new Map<unknown, Members>(),
): Members {
  const there = known.get(schema);
  if (there !== undefined) return there;
  // What leads back to itself has no members beside those.
  known.set(schema, NONE);
  const { properties, required, allOf, anyOf, oneOf } = resolve(schema);
  const within = (part: unknown): Members => membersOfSchema(part, resolve, known);
  const parts = [
    isSchema(properties)
      ? new Map(Object.entries(properties).map(([name, one]) => [name, optional(one)]))
      : NONE,
    ...listed(allOf).map(within),
    ...[anyOf, oneOf].map((list) =>
      choiceOf(
        listed(list)
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
  for (const name of listed(required)) {
    const one = typeof name === 'string' ? all.get(name) : undefined;
    if (typeof name === 'string' && one !== undefined) all.set(name, { ...one, required: true });
  }
  known.set(schema, all);
  return all;
}

/** Of objects of which a value is one. */
function choiceOf(branches: readonly Members[], resolve: Resolve): Members {
  const names = new Set(branches.flatMap((branch) => [...branch.keys()]));
  const member = (name: string): Member => {
    const all = branches.flatMap((branch) => branch.get(name) ?? []);
    const schemas: unknown[] = [];
    for (const { schema } of all)
      if (!schemas.some((one) => isDeepStrictEqual(one, schema))) schemas.push(schema);
    return {
      required: all.length === branches.length && all.every(({ required }) => required),
      schema: schemas.length === 1 ? schemas[0] : { ...told(schemas.map(resolve)), anyOf: schemas },
    };
  };
  return new Map([...names].map((name) => [name, member(name)]));
}

/** What the first of several schemas that says anything tells readers. */
function told(schemas: readonly JsonSchema[]): JsonSchema {
  const { description } = schemas.find((one) => one.description !== undefined) ?? {};
  return description === undefined ? {} : { description };
}

function optional(schema: unknown): Member {
  return { required: false, schema };
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
