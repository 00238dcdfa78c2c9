import {
  allSubschemas,
  definitionPath,
  dereference,
  isList,
  isSchema,
  listOf,
  objectOf,
  resolveReference,
  type SchemaNode,
} from '../../framework';
import { MAX_FOUND } from './error-limits';
import type { ValidationError, Validator } from './validator';
import { isText, MAX_DEPTH, membersIn } from './form-values';
import { isNumberText } from './text-values';

/** Prefix of the types of array items. */
const LIST = '[]';

/** A schema of text values, with its unions separated. */
export interface SplitSchema {
  /** The schema without the unions, of which it keeps the defaults only. Its members are coerced. */
  readonly others: SchemaNode;
  /** The schema of the members that may be text or another type. Its members are not coerced. */
  readonly unions: SchemaNode;
  /** The names of the unions. */
  readonly names: ReadonlySet<string>;
  /** Returns the possible values of a text, the preferred first: other types before text. */
  readonly candidates: (name: string, text: string | readonly string[]) => readonly unknown[];
}

/**
 * Separates the unions of different types, such as `Integer | 'all'`, from a schema of text values: with coercion,
 * Ajv tries one branch after another on the same value, and keeps the value of the last one. Numbers that are listed
 * without a type (`enum: [1, 2]`) are separated as well, as Ajv converts texts by the type only.
 * @returns undefined for a schema without such unions
 */
export function splitMixedUnions(schema: object): SplitSchema | undefined {
  if (!isSchema(schema)) return undefined;
  const root: SchemaNode = schema;
  const declared = new Map<string, unknown[]>();
  for (const [name, member] of membersIn(root)) declared.set(name, [...(declared.get(name) ?? []), member]);
  const kinds = new Map(
    [...declared].map(([name, members]) => [
      name,
      new Set(members.flatMap((member) => kindsOf(root, member, 0))),
    ]),
  );
  const mixed = [...declared].filter(
    ([name, members]) =>
      (kinds.get(name)?.size ?? 0) > 1 || members.some((member) => hasUntypedValues(root, member, 0)),
  );
  // A schema with inner `$id`s must stay in one piece.
  if (mixed.length === 0 || allSubschemas(schema).some(({ $id: id }, at) => at > 0 && id !== undefined))
    return undefined;
  const { $defs: definitions, $schema: dialect } = schema;
  const properties = Object.fromEntries(
    mixed.map(([name, members]) => [name, members.length === 1 ? members[0] : { allOf: members }]),
  );
  const unions: SchemaNode = {
    ...(dialect === undefined ? {} : { $schema: dialect }),
    type: 'object',
    properties,
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
  // So must one whose unions refer to what is neither a definition nor a union.
  if (!containsTargets(unions, { properties })) return undefined;
  const names = new Set(mixed.map(([name]) => name));
  return {
    others: withoutMembers(root, dereference(root, root), names),
    unions,
    names,
    candidates: (name, text) => [...candidatesOf(kinds.get(name) ?? new Set(), text)],
  };
}

/** Whether a schema contains all that a part of it refers to, also indirectly. */
function containsTargets(schema: SchemaNode, part: SchemaNode, seen = new Set<string>()): boolean {
  return allSubschemas(part).every(({ $ref: reference }) => {
    if (typeof reference !== 'string' || seen.has(reference)) return true;
    seen.add(reference);
    const target = resolveReference(schema, reference);
    // A definition may be a boolean.
    if (target === undefined) return definitionPath(reference).length > 0;
    return containsTargets(schema, target, seen);
  });
}

/** Keeps the names and the defaults of members only, also in the `allOf` of an intersection. */
function withoutMembers(
  root: SchemaNode,
  part: SchemaNode,
  names: ReadonlySet<string>,
  depth = 0,
): SchemaNode {
  const { properties, allOf } = part;
  const members = Object.entries(objectOf(properties)).map(([name, member]) => {
    if (!names.has(name)) return [name, member];
    return [name, isSchema(member) && 'default' in member ? { default: member.default } : {}];
  });
  const parts = listOf(allOf).map((one) =>
    depth < MAX_DEPTH && membersIn(root, one, depth + 1).some(([name]) => names.has(name))
      ? withoutMembers(root, dereference(root, one), names, depth + 1)
      : one,
  );
  return {
    ...part,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(allOf === undefined ? {} : { allOf: parts }),
  };
}

/** Returns the types that a schema allows, those of array items with brackets: `[]number`. */
function kindsOf(root: SchemaNode, part: unknown, depth: number): readonly string[] {
  if (!isSchema(part) || depth > MAX_DEPTH) return [];
  const { type, items, anyOf = [], oneOf = [], const: only, enum: values = [] } = dereference(root, part);
  const types = [type].flat().filter((one): one is string => typeof one === 'string' && one !== 'array');
  // Among several types, null means an empty text, which remains text if that is allowed.
  const isTextListed =
    types.includes('string') && isList(values) && values.length > 0 && !values.includes('');
  const named = types.length > 1 && !isTextListed ? types.filter((one) => one !== 'null') : types;
  const fromValues = type === undefined ? [only, values].flat().filter((one) => one !== undefined) : [];
  return [
    ...named.map((one) => (one === 'integer' ? 'number' : one)),
    ...fromValues.map((one) => (one === null ? 'null' : typeof one)),
    ...[anyOf, oneOf].flat().flatMap((one) => kindsOf(root, one, depth + 1)),
    ...kindsOf(root, items, depth + 1).map((kind) => LIST + kind),
  ];
}

/** Whether a schema lists values other than texts without their type, by which Ajv would convert them. */
function hasUntypedValues(root: SchemaNode, part: unknown, depth: number): boolean {
  if (!isSchema(part) || depth > MAX_DEPTH) return false;
  const { type, items, anyOf = [], oneOf = [], const: only, enum: values = [] } = dereference(root, part);
  const listed = type === undefined ? [only, values].flat().filter((one) => one !== undefined) : [];
  return (
    listed.some((one) => typeof one !== 'string') ||
    [items, anyOf, oneOf].flat().some((one) => hasUntypedValues(root, one, depth + 1))
  );
}

function* candidatesOf(
  kinds: ReadonlySet<string>,
  text: string | readonly string[],
): Generator<unknown, void, undefined> {
  const ofItems = [...kinds].filter((kind) => kind.startsWith(LIST)).map((kind) => kind.slice(LIST.length));
  // A schema of lists only has errors about their items.
  if (typeof text === 'string' && ofItems.length < kinds.size) yield* valuesOf(text);
  if (ofItems.length > 0) {
    yield [text].flat().map((one) => {
      const value = valuesOf(one).find((possible) => ofItems.includes(kindOf(possible)));
      return value === undefined ? one : value;
    });
  }
  yield typeof text === 'string' ? [text] : text;
}

/** Returns the possible values of a single text. A number that would be rounded comes last. */
function valuesOf(text: string): readonly unknown[] {
  const number = isNumberText(text) ? Number(text) : undefined;
  if (number !== undefined) return isExact(number) ? [number, text] : [text, number];
  if (text === 'true' || text === 'false') return [text === 'true', text];
  return text === '' ? [null, text] : [text];
}

function isExact(number: number): boolean {
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number));
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/**
 * Returns a validator that gives each union the first candidate value that is valid.
 * @param others validates and coerces the other members
 * @param unions validates unions without coercion
 */
export function unionValidator(
  { names, candidates }: SplitSchema,
  others: Validator,
  unions: Validator,
): Validator {
  return (input) => {
    const values: Record<string, unknown> = { ...(input as object) };
    const errors: ValidationError[] = [];
    for (const [name, value] of Object.entries(values)) {
      if (!names.has(name) || errors.length >= MAX_FOUND) continue;
      const possible = isText(value) ? candidates(name, value) : [value];
      const checked = possible.map((candidate) => unions({ [name]: candidate }));
      const at = checked.findIndex((one) => 'value' in one);
      const [first] = checked;
      if (at >= 0) values[name] = possible[at];
      else if (first !== undefined && 'errors' in first) for (const error of first.errors) errors.push(error);
    }
    const checked = others(values);
    if (errors.length === 0) return checked;
    return { errors: [...errors, ...('errors' in checked ? checked.errors : [])] };
  };
}
