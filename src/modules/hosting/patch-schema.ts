import { Type, type TSchema } from '@sinclair/typebox';
import { isSchema } from '../../framework';

/**
 * The schema of a merge patch (RFC 7396) of an object: no member is needed, one that an entity can be without may be
 * null, which takes it away, and objects inside are patched in their turn, those of `allOf`, `anyOf` and `oneOf` too.
 * Lists are replaced, so that they are whole. What is said of members together is left to the entity that is made.
 *
 * @returns undefined for what is no object, or does not say so: a text, a list, a reference
 */
export function patchOf(schema: TSchema): TSchema | undefined {
  const patch = patched(schema, []);
  if (patch === schema && schema.type !== 'object') return undefined;
  // Whatever else there is a choice of: as a patch it would replace the entity (RFC 7396, 2).
  return schemaOf({ ...patch, type: 'object' });
}

type Schema = Readonly<Record<string, unknown>>;

/** @param needed members that the schemas around this one require. @returns the same where it says nothing of members */
function patched(schema: Schema, needed: readonly string[]): Schema {
  const required = [...needed, ...requiredBy(schema)];
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const patch = patchedKeyword(schema, keyword, value, required);
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
  required: readonly string[],
): unknown {
  switch (keyword) {
    case 'properties':
      return mapped(value, (member, name) => (required.includes(name) ? inside(member) : removable(member)));
    case 'patternProperties':
      return mapped(value, removable);
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return removable(value);
    case 'allOf':
      return branchesOf(value, required);
    case 'anyOf':
      return unionOf(value, required);
    case 'oneOf':
      return oneUnionOf(schema, value, required);
    case 'required':
    case 'minProperties':
    case 'maxProperties':
    case 'dependentRequired':
    case 'dependentSchemas':
    case 'dependencies':
      return undefined;
    case 'not':
      return isOfMembers(value) ? undefined : value;
    case 'if':
    case 'then':
    case 'else':
      return [schema.if, schema.then, schema.else].some(isOfMembers) ? undefined : value;
    default:
      return value;
  }
}

function inside(schema: unknown, needed: readonly string[] = []): unknown {
  return isSchema(schema) ? patched(schema, needed) : schema;
}

function isOfMembers(schema: unknown): boolean {
  return inside(schema) !== schema;
}

function mapped(members: unknown, patch: (member: unknown, name: string) => unknown): unknown {
  if (!isSchema(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, patch(member, name)]));
}

/** The same list where none of the branches says anything of members. */
function branchesOf(branches: unknown, needed: readonly string[]): unknown {
  if (!Array.isArray(branches)) return branches;
  const patches = branches.map((branch: unknown) => inside(branch, needed));
  return patches.every((patch, at) => patch === branches[at]) ? branches : patches;
}

/**
 * Branches of which a patch has to go with one. An entity may go over from one to another, so that each lets the
 * members of the others be taken away.
 */
function unionOf(branches: unknown, needed: readonly string[]): unknown {
  const patches = branchesOf(branches, needed);
  if (patches === branches || !Array.isArray(patches)) return patches;
  const names = patches.flatMap(namesIn);
  const open = patches.map((patch: unknown) => {
    if (!isSchema(patch) || !CLOSING.some((keyword) => patch[keyword] === false)) return patch;
    const others = names.filter((name) => !namesIn(patch).includes(name));
    const gone = Object.fromEntries(others.map((name) => [name, { type: 'null' }]));
    return { ...patch, properties: { ...(isSchema(patch.properties) ? patch.properties : {}), ...gone } };
  });
  // One that only says which members are needed lets every patch pass.
  return open.some((patch) => isSchema(patch) && Object.keys(patch).length === 0) ? undefined : open;
}

const CLOSING = ['additionalProperties', 'unevaluatedProperties'];

/** What becomes of `oneOf`, which gives way where there is an `anyOf` already. */
function oneUnionOf(schema: Schema, branches: unknown, needed: readonly string[]): unknown {
  const union = unionOf(branches, needed);
  return union === branches || schema.anyOf === undefined ? union : undefined;
}

/** The members that every entity has by a schema, whichever branch of a union it fits. */
function requiredBy(schema: Schema): readonly string[] {
  const own: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const parts: readonly unknown[] = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [
    ...own.filter((name) => typeof name === 'string'),
    ...parts.filter(isSchema).flatMap((part) => requiredBy(part)),
  ];
}

function namesIn(schema: unknown): readonly string[] {
  if (!isSchema(schema)) return [];
  const parts: readonly unknown[] = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [...(isSchema(schema.properties) ? Object.keys(schema.properties) : []), ...parts.flatMap(namesIn)];
}

/** The patch of a member that an entity can be without; what is told of it stays where readers look for it. */
function removable(member: unknown): unknown {
  const schema = inside(member);
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
