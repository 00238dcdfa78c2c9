import { Type, type TSchema } from '@sinclair/typebox';
import { isSchema, type SchemaNode } from '../../framework';
import { DerivedDefinitions } from './derived-definitions';
import { orNull } from './or-null';
import { DEEPEST, namesIn, requiredBy, writtenOut } from './schema-members';

/**
 * The schema of a merge patch (RFC 7396) of an object: no member is needed, one that an entity can be without may be
 * null, which takes it away, and objects inside are patched in their turn, those of `allOf`, `anyOf` and `oneOf` and
 * those that it refers to among its definitions too. Lists are replaced, so that they are whole. What is said of members
 * together is left to the entity that is made.
 *
 * @returns undefined for what is no object, or does not say so: a text, a list, a reference
 */
export function patchOf(schema: TSchema): TSchema | undefined {
  const derived = new DerivedDefinitions(schema, 'Patch', (one, all) => patched(one, NOTHING, all));
  const patch = patched(schema, NOTHING, derived);
  if (patch === schema && schema.type !== 'object') return undefined;
  // Whatever else there is a choice of: as a patch it would replace the entity (RFC 7396, 2).
  return schemaOf(derived.complete({ ...patch, type: 'object' }));
}

type Schema = SchemaNode;

/** What the schemas around one say of it. */
interface Around {
  /** Members that they require. */
  readonly needed: readonly string[];
  /** How many there are that speak of the same value: definitions may lead to one another without an end. */
  readonly depth: number;
}

const NOTHING: Around = { needed: [], depth: 0 };

/** @returns the same where it says nothing of members */
function patched(schema: Schema, { needed, depth }: Around, derived: DerivedDefinitions): Schema {
  const around = { needed: [...needed, ...requiredBy(schema, derived)], depth: depth + 1 };
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const patch = patchedKeyword(schema, keyword, value, around, derived);
    // There may be one branch that a whole fits, and several that a patch fits.
    return patch === undefined ? [] : [[keyword === 'oneOf' && patch !== value ? 'anyOf' : keyword, patch]];
  });
  const isSame = entries.length === Object.keys(schema).length && entries.every(([k, v]) => schema[k] === v);
  return isSame ? schema : Object.fromEntries(entries);
}

/** @returns the same for a keyword that says nothing of members, undefined for one that a patch cannot be asked */
function patchedKeyword(
  schema: Schema,
  keyword: string,
  value: unknown,
  around: Around,
  derived: DerivedDefinitions,
): unknown {
  switch (keyword) {
    case '$ref':
      return typeof value === 'string' ? derived.reference(value) : value;
    case 'properties':
      return mapped(value, (member, name) =>
        around.needed.includes(name) ? inside(member, derived) : removable(member, derived),
      );
    case 'patternProperties':
      return mapped(value, (member) => removable(member, derived));
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return removable(value, derived);
    case 'allOf':
      return branchesOf(value, around, derived);
    case 'anyOf':
      return unionOf(value, around, derived);
    case 'oneOf':
      return oneUnionOf(schema, value, around, derived);
    case 'required':
    case 'minProperties':
    case 'maxProperties':
    case 'dependentRequired':
    case 'dependentSchemas':
    case 'dependencies':
      return undefined;
    case 'not':
      return isOfMembers(value, derived) ? undefined : value;
    case 'if':
    case 'then':
    case 'else':
      return [schema.if, schema.then, schema.else].some((one) => isOfMembers(one, derived))
        ? undefined
        : value;
    default:
      return value;
  }
}

function inside(schema: unknown, derived: DerivedDefinitions, around = NOTHING): unknown {
  return isSchema(schema) ? patched(schema, around, derived) : schema;
}

/** The patch of a member that an entity can be without. */
function removable(member: unknown, derived: DerivedDefinitions): unknown {
  return orNull(inside(member, derived));
}

function isOfMembers(schema: unknown, derived: DerivedDefinitions): boolean {
  return inside(schema, derived) !== schema;
}

function mapped(members: unknown, patch: (member: unknown, name: string) => unknown): unknown {
  if (!isSchema(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, patch(member, name)]));
}

/** The same list where none of the branches says anything of members. */
function branchesOf(branches: unknown, around: Around, derived: DerivedDefinitions): unknown {
  if (!Array.isArray(branches) || around.depth > DEEPEST) return branches;
  const patches = branches.map((branch: unknown) => {
    // What is required around it is required of what it refers to.
    const written = writtenOut(branch, derived);
    const patch = inside(written, derived, around);
    return patch === written ? branch : patch;
  });
  return patches.every((patch, at) => patch === branches[at]) ? branches : patches;
}

/**
 * Branches of which a patch has to go with one. An entity may go over from one to another, so that each lets the
 * members of the others be taken away.
 */
function unionOf(branches: unknown, around: Around, derived: DerivedDefinitions): unknown {
  const patches = branchesOf(branches, around, derived);
  if (patches === branches || !Array.isArray(patches)) return patches;
  const namesOf = (patch: unknown): readonly string[] => namesIn(patch, derived);
  const names = patches.flatMap(namesOf);
  const open = patches.map((patch: unknown) => {
    if (!isSchema(patch) || !CLOSING.some((keyword) => patch[keyword] === false)) return patch;
    const others = names.filter((name) => !namesOf(patch).includes(name));
    const gone = Object.fromEntries(others.map((name) => [name, { type: 'null' }]));
    return { ...patch, properties: { ...(isSchema(patch.properties) ? patch.properties : {}), ...gone } };
  });
  // One that only says which members are needed lets every patch pass.
  return open.some((patch) => isSchema(patch) && Object.keys(patch).length === 0) ? undefined : open;
}

const CLOSING = ['additionalProperties', 'unevaluatedProperties'];

/** What becomes of `oneOf`, which gives way where there is an `anyOf` already. */
function oneUnionOf(schema: Schema, value: unknown, around: Around, derived: DerivedDefinitions): unknown {
  const union = unionOf(value, around, derived);
  return union === value || schema.anyOf === undefined ? union : undefined;
}

function schemaOf(keywords: Schema): TSchema {
  return Type.Unsafe(keywords);
}
