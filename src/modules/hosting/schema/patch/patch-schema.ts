import { Type, type TSchema } from '@sinclair/typebox';
import { isSchema, merged, type SchemaNode } from '../../../../framework';
import { DerivedDefinitions } from '../derived-definitions';
import { nullable } from './nullable';
import {
  closedLeaves,
  conditionalMembers,
  countClosed,
  isClosedWithParts,
  namesIn,
  requiredBy,
  resolveBranch,
  withConditional,
} from './patched-members';
import { membersOfClosedUnions, withUnionMembers } from './union-members';
import { allowRemoved, canList, isClosed, withNamesOnce, type Removed } from './removed-members';

/**
 * Derives the schema of a merge patch (RFC 7396) for an object: no member is required, optional members may be null
 * (which removes them), and nested objects are patched too, including those in `allOf`, `anyOf`, `oneOf` and
 * referenced definitions. Lists are replaced as a whole. Constraints across members are checked on the patched
 * entity.
 * @returns undefined for a schema that does not describe an object
 */
export function mergePatchSchema(schema: TSchema): TSchema | undefined {
  const derived = new DerivedDefinitions(schema, 'Patch', (one, all) => patchNode(one, NOTHING, all));
  const patch = patchNode(schema, NOTHING, derived);
  if (patch === schema && schema.type !== 'object') return undefined;
  // A patch that is not an object would replace the entity (RFC 7396, 2).
  return schemaOf(derived.complete({ ...patch, type: 'object' }));
}

type Schema = SchemaNode;

/** Context from the enclosing schemas of the same value. */
interface PatchContext {
  /** Members that they require. */
  readonly required: ReadonlySet<string>;
  /** Members that the patch of the branch may also remove, as may its parts. */
  readonly removed: Removed;
  /** Whether it is within a member of a union that is closed as a whole. */
  readonly isInClosedUnion: boolean;
}

const NOTHING: PatchContext = { required: new Set(), removed: [], isInClosedUnion: false };

/** @returns the same object if it declares no members */
function patchNode(schema: Schema, context: PatchContext, derived: DerivedDefinitions): Schema {
  const required = new Set([...context.required, ...requiredBy(schema, derived)]);
  const unions = [...membersOfClosedUnions(schema, derived)];
  const isInClosedUnion = context.isInClosedUnion || unions.length > 0;
  const around = { required, removed: context.removed, isInClosedUnion };
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const patch = patchKeyword(schema, keyword, value, around, derived);
    // An entity matches one branch, but a patch may match several.
    return patch === undefined ? [] : [[keyword === 'oneOf' && patch !== value ? 'anyOf' : keyword, patch]];
  });
  const isUnchanged =
    entries.length === Object.keys(schema).length && entries.every(([k, v]) => schema[k] === v);
  if (isUnchanged) return schema;
  const ofUnions = unions.map(([name, members]) => {
    const patch = patchAlternatives(members, around, derived);
    return [name, required.has(name) ? patch : nullable(patch), members.length] as const;
  });
  // A patch need not have the member in which branches differ, and its mapping is to the schemas of entities.
  const patch = Object.fromEntries(entries.filter(([keyword]) => keyword !== 'discriminator'));
  return withConditional(withUnionMembers(patch, ofUnions, derived), conditionalMembers(schema, derived));
}

/** @returns the same value for a keyword that declares no members; undefined for one that does not apply to patches */
function patchKeyword(
  schema: Schema,
  keyword: string,
  value: unknown,
  around: PatchContext,
  derived: DerivedDefinitions,
): unknown {
  switch (keyword) {
    case '$ref':
      return typeof value === 'string' ? derived.reference(value) : value;
    case 'properties':
      return mapMembers(value, (member, name) =>
        around.required.has(name)
          ? patchInner(member, around, derived)
          : patchOptional(member, around, derived),
      );
    case 'patternProperties':
      return mapMembers(value, (member) => patchOptional(member, around, derived));
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return patchOptional(value, around, derived);
    case 'allOf':
      return patchBranches(value, around, derived, (part) =>
        isClosedWithParts(resolveBranch(part, derived), derived) ? around.removed : [],
      );
    case 'anyOf':
      return patchUnion(value, around, derived);
    case 'oneOf':
      return patchOneOf(schema, value, around, derived);
    case 'required':
    case 'minProperties':
    case 'maxProperties':
    case 'dependentRequired':
    case 'dependentSchemas':
    case 'dependencies':
      return undefined;
    case 'not':
      return declaresMembers(value, derived) ? undefined : value;
    case 'if':
    case 'then':
    case 'else':
      return [schema.if, schema.then, schema.else].some((one) => declaresMembers(one, derived))
        ? undefined
        : value;
    default:
      return value;
  }
}

/** Patches the schema of another value. @param around context of the value that has it */
function patchInner(
  schema: unknown,
  { isInClosedUnion }: PatchContext,
  derived: DerivedDefinitions,
): unknown {
  if (!isSchema(schema)) return schema;
  const patch = (): Schema => patchNode(schema, { ...NOTHING, isInClosedUnion }, derived);
  // The members of a closed union are also declared next to it: unions within each other would double what is in them.
  const isRepeated = isInClosedUnion && membersOfClosedUnions(schema, derived).size > 0;
  return isRepeated ? { $ref: derived.share(schema, 'Union', patch) } : patch();
}

/** Patches an optional member. */
function patchOptional(member: unknown, around: PatchContext, derived: DerivedDefinitions): unknown {
  return nullable(patchInner(member, around, derived));
}

/** Patches a member that several schemas declare. */
function patchAlternatives(
  members: readonly unknown[],
  around: PatchContext,
  derived: DerivedDefinitions,
): unknown {
  const patches = members.map((one) => patchInner(one, around, derived));
  return patches.length === 1 ? patches[0] : { anyOf: patches };
}

function declaresMembers(schema: unknown, derived: DerivedDefinitions): boolean {
  return patchInner(schema, NOTHING, derived) !== schema;
}

function mapMembers(members: unknown, patch: (member: unknown, name: string) => unknown): unknown {
  if (!isSchema(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, patch(member, name)]));
}

/** Patches branches; returns the same list if none declares members. */
function patchBranches(
  branches: unknown,
  around: PatchContext,
  derived: DerivedDefinitions,
  removed: (branch: unknown) => Removed,
): unknown {
  if (!Array.isArray(branches)) return branches;
  const patches = branches.map((branch: unknown) => patchBranch(branch, around, derived, removed(branch)));
  return patches.every((patch, at) => patch === branches[at]) ? branches : patches;
}

/**
 * Patches a branch. A referenced definition is patched once for each set of members that matter to it: it may be recursive.
 * @param removed members that the patch may also remove
 */
function patchBranch(
  branch: unknown,
  around: PatchContext,
  derived: DerivedDefinitions,
  removed: Removed,
): unknown {
  const resolved = resolveBranch(branch, derived);
  const patch = (one: Schema, { isInClosedUnion } = around): Schema => {
    const patched = patchNode(one, { ...around, removed, isInClosedUnion }, derived);
    return isClosed(one) ? allowRemoved(patched, removed) : patched;
  };
  if (!isSchema(branch) || !isSchema(resolved)) return branch;
  if (resolved === branch || typeof branch.$ref !== 'string') return patch(branch);
  const { $ref: reference, ...siblings } = branch;
  // Members required by the enclosing schema are also required in referenced schemas.
  const own = new Set(requiredBy(resolved, derived));
  const required = [...around.required].filter((name) => !own.has(name)).sort();
  const isPlain = [Object.keys(siblings), required, removed].every(({ length }) => length === 0);
  const patchTarget = (target: Schema): Schema => {
    const whole = resolveBranch(merged(target, siblings), derived);
    // Other schemas refer to it as well, of which fewer unions may be around it.
    const patched = patch(whole, NOTHING);
    return patched === whole ? target : patched;
  };
  const made = isPlain
    ? derived.reference(reference)
    : derived.reference(reference, patchTarget, JSON.stringify([siblings, required, removed]));
  return made === reference ? branch : { $ref: made };
}

/**
 * Patches the branches of a union. An entity may change from one branch to another, so each branch allows the
 * members of the others to be removed, as well as those of the other branches of a union around it.
 */
function patchUnion(branches: unknown, around: PatchContext, derived: DerivedDefinitions): unknown {
  if (!Array.isArray(branches)) return branches;
  const declared = new Map(
    branches.map((branch: unknown) => [branch, new Set(namesIn(resolveBranch(branch, derived), derived))]),
  );
  const outer = around.removed;
  const names = new Set(
    [...declared.values(), ...(outer === 'others' ? [] : [outer])].flatMap((own) => [...own]),
  );
  const resolved = branches.map((branch: unknown) => resolveBranch(branch, derived));
  // Those of unions within it list the names of this one, too.
  const listing = Math.max(branches.length, countClosed(resolved, derived));
  const isListed = outer !== 'others' && canList(names, listing);
  const patches = patchBranches(branches, around, derived, (branch) => {
    if (!isClosedWithParts(resolveBranch(branch, derived), derived)) return [];
    return isListed ? [...names].filter((name) => declared.get(branch)?.has(name) !== true) : 'others';
  });
  if (patches === branches || !Array.isArray(patches)) return patches;
  // A branch that only requires members allows every patch.
  const allowsAll = (patch: unknown): boolean =>
    isSchema(patch) && Object.keys(resolveBranch(patch, derived)).length === 0;
  if (patches.some(allowsAll)) return undefined;
  // The names of the members that a union around it declares are listed there.
  if (isListed || outer === 'others') return patches;
  const closed = resolved.map((branch) => closedLeaves(branch, derived));
  return withNamesOnce(closed, patches, names);
}

/** Patches `oneOf`, which is dropped if there is also an `anyOf`. */
function patchOneOf(
  schema: Schema,
  value: unknown,
  around: PatchContext,
  derived: DerivedDefinitions,
): unknown {
  const union = patchUnion(value, around, derived);
  return union === value || schema.anyOf === undefined ? union : undefined;
}

function schemaOf(keywords: Schema): TSchema {
  return Type.Unsafe(keywords);
}
