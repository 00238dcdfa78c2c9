import { Type, type TSchema } from '@sinclair/typebox';
import { isSchema, type SchemaNode } from '../../framework';
import { DerivedDefinitions } from './derived-definitions';

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
const DEEPEST = 32;

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

/** A branch, or the definition that it refers to with what it says beside. */
function writtenOut(branch: unknown, derived: DerivedDefinitions): unknown {
  if (!isSchema(branch)) return branch;
  const { $ref: reference, ...beside } = branch;
  const target = derived.at(reference);
  return target === undefined ? branch : { ...target, ...beside };
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

/** The members that every entity has by a schema, whichever branch of a union it fits. */
function requiredBy(schema: Schema, derived: DerivedDefinitions, depth = 0): readonly string[] {
  const own: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return [
    ...own.filter((name) => typeof name === 'string'),
    ...partsOf(schema, derived, depth).flatMap((part) => requiredBy(part, derived, depth + 1)),
  ];
}

function namesIn(schema: unknown, derived: DerivedDefinitions, depth = 0): readonly string[] {
  if (!isSchema(schema)) return [];
  return [
    ...(isSchema(schema.properties) ? Object.keys(schema.properties) : []),
    ...partsOf(schema, derived, depth).flatMap((part) => namesIn(part, derived, depth + 1)),
  ];
}

/** The schemas of `allOf`, those that they refer to written out. */
function partsOf(schema: Schema, derived: DerivedDefinitions, depth: number): readonly Schema[] {
  const parts: readonly unknown[] = Array.isArray(schema.allOf) && depth < DEEPEST ? schema.allOf : [];
  return parts.map((part) => writtenOut(part, derived)).filter(isSchema);
}

/** The patch of a member that an entity can be without; what is told of it stays where readers look for it. */
function removable(member: unknown, derived: DerivedDefinitions): unknown {
  const schema = inside(member, derived);
  if (!isSchema(schema)) return schema;
  const keywords = Object.keys(schema).filter((keyword) => !TEXTS.includes(keyword));
  if (keywords.length === 0) return schema;
  const { type, enum: values, const: only, anyOf } = schema;
  if (
    typeof type === 'string' &&
    values === undefined &&
    only === undefined &&
    !UNIONS.some((one) => one in schema)
  )
    return type === 'null' ? schema : { ...schema, type: [type, 'null'] };
  if (keywords.length === 1 && Array.isArray(anyOf)) {
    const takesNull = anyOf.some((branch: unknown) => isSchema(branch) && branch.type === 'null');
    return takesNull ? schema : { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  }
  const isText = ([keyword]: readonly [string, unknown]): boolean => TEXTS.includes(keyword);
  const entries: [string, unknown][] = Object.entries(schema);
  return {
    ...Object.fromEntries(entries.filter(isText)),
    anyOf: [Object.fromEntries(entries.filter((one) => !isText(one))), { type: 'null' }],
  };
}

const TEXTS: readonly string[] = ['title', 'description', 'examples', 'deprecated', 'default'];

/** What they say holds for null, too. */
const UNIONS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref'];

function schemaOf(keywords: Schema): TSchema {
  return Type.Unsafe(keywords);
}
