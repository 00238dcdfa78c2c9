import {
  COMPOSITIONS,
  dereference,
  formatPointer,
  lazily,
  listOf,
  objectOf,
  parsePointer,
  type SchemaNode,
} from '../../framework';
import { UploadedFile } from '../content-negotiation';
import type { Validator } from './validator';

/** How the fields of a form are read. */
interface FieldReading {
  /** The names whose empty fields, or items, are null. */
  readonly cleared: ReadonlySet<string>;
  /** The names whose texts are JSON. */
  readonly structured: ReadonlySet<string>;
  /** @param pointer to the text in the form */
  readonly parse: (text: string, pointer: string) => unknown;
}

/** Converts the values of a form to the structure that its schema expects, before types are coerced. */
export function formValues(
  schema: object,
  form: unknown,
  { cleared, structured, parse }: FieldReading,
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...(typeof form === 'object' ? form : {}) };
  const lists = listsOf(schema);
  for (const name of structured)
    if (Object.hasOwn(values, name)) values[name] = parsed(name, values[name], parse, lists.has(name));
  // A name that occurs once is a list of one if the schema declares an array.
  for (const name of lists)
    if (Object.hasOwn(values, name) && !Array.isArray(values[name])) values[name] = [values[name]];
  for (const name of cleared) if (Object.hasOwn(values, name)) values[name] = withNull(values[name]);
  return values;
}

/** Other texts than that of an object or a list have the error of a text. */
const COMPOSITE = /^\s*[[{]/;

function parsed(name: string, field: unknown, parse: FieldReading['parse'], isInList: boolean): unknown {
  const valueOf = (one: unknown, ...keys: readonly (string | number)[]): unknown =>
    typeof one === 'string' && COMPOSITE.test(one) ? parse(one, formatPointer(keys)) : one;
  // An object that occurs once is the first of a list.
  if (isInList && typeof field === 'string' && !field.trimStart().startsWith('['))
    return valueOf(field, name, 0);
  if (!Array.isArray(field)) return valueOf(field, name);
  return field.map((one: unknown, at) => valueOf(one, name, at));
}

/**
 * The members whose values no text can be: objects, and lists of objects or lists. Forms have them as JSON (OpenAPI 3.1.1,
 * 4.8.15.1.1).
 */
export function structuredMembers(schema: object): ReadonlySet<string> {
  const root: SchemaNode = { ...schema };
  const { anyOf, oneOf } = dereference(root, root);
  const own = membersIn(root).filter(([, one]) => isStructured(root, one));
  const ofBranches = [anyOf, oneOf].flatMap(listOf).flatMap((branch) => membersIn(root, branch));
  const texts = new Set(ofBranches.flatMap(([name, one]) => (isStructured(root, one) ? [] : [name])));
  return new Set([...own, ...ofBranches.filter(([name]) => !texts.has(name))].map(([name]) => name));
}

function isStructured(root: SchemaNode, schema: unknown, isItem = false, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const { type, items, allOf, anyOf, oneOf } = dereference(root, schema);
  const types = [type].flat().filter((one) => one !== undefined && one !== 'null');
  const branches = [anyOf, oneOf].flatMap(listOf).filter((one) => dereference(root, one).type !== 'null');
  const isInner = (one: unknown): boolean => isStructured(root, one, isItem, depth + 1);
  if (types.length === 0)
    return listOf(allOf).some(isInner) || (branches.length > 0 && branches.every(isInner));
  return types.every(
    (one) => one === 'object' || (one === 'array' && (isItem || isStructured(root, items, true, depth + 1))),
  );
}

function withNull(field: unknown): unknown {
  if (Array.isArray(field)) return field.map((one: unknown) => (one === '' ? null : one));
  return field === '' ? null : field;
}

/**
 * The members that may be null, and whose texts cannot be empty, such as dates, and lists of such: a form has no other
 * notation of null. Empty fields of numbers and booleans are null by coercion.
 * @param refusesEmpty whether a schema refuses an empty text
 */
export function clearedMembers(
  schema: object,
  refusesEmpty: (member: SchemaNode) => boolean,
): ReadonlySet<string> {
  const root: SchemaNode = { ...schema };
  const parts = new Map<string, SchemaNode[]>();
  for (const [name, one] of membersIn(root)) {
    const whole = dereference(root, one);
    const member = whole.type === 'array' ? dereference(root, whole.items) : whole;
    parts.set(name, [...(parts.get(name) ?? []), member]);
  }
  const cleared = [...parts].filter(
    ([, members]) => members.every(isNullableText) && members.some(refusesEmpty),
  );
  return new Set(cleared.map(([name]) => name));
}

function isNullableText({ type }: SchemaNode): boolean {
  const types = [type].flat();
  return types.includes('null') && types.includes('string');
}

/** Limits recursion, because a schema may refer to itself. */
export const MAX_DEPTH = 4;

/** Returns the members that a schema declares, also in its `allOf`: those of an intersection. */
export function membersIn(root: SchemaNode, part: unknown = root, depth = 0): readonly [string, unknown][] {
  const { properties, allOf } = dereference(root, part);
  const parts = depth < MAX_DEPTH ? listOf(allOf) : [];
  return [
    ...Object.entries(objectOf(properties)),
    ...parts.flatMap((one) => membersIn(root, one, depth + 1)),
  ];
}

/** Returns the fields that are text or lists of text. */
export function textsOf(
  values: Readonly<Record<string, unknown>>,
): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string | string[]] => isText(entry[1])),
  );
}

/** Returns whether a value is text or a list of text. */
export function isText(value: unknown): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

/** Keywords by which other schemas say something about a form. */
const COMPOSED: readonly string[] = [...COMPOSITIONS, '$ref', 'dependentSchemas', 'if', 'not'];

/**
 * Returns a validator of forms whose fields may be JSON, which is not converted.
 * @param convert returns a validator that converts fields
 * @param validate validates without conversion
 */
export function formValidator(
  schema: object,
  convert: (schema: object) => Validator,
  validate: () => Validator,
): Validator {
  const isComposed = COMPOSED.some((keyword) => keyword in schema);
  const whole = convert(schema);
  const ofTexts = lazily(() => convert(withoutPresence({ ...schema })));
  return (form) => {
    const entries = Object.entries({ ...(form as object) });
    if (entries.every(([, value]) => isField(value))) return whole(form);
    const json = Object.fromEntries(entries.filter(([, value]) => !isField(value)));
    const texts = Object.fromEntries(entries.filter(([, value]) => isField(value)));
    // Of a composed schema, any part may require the JSON.
    const converted = isComposed ? whole(form) : ofTexts()(texts);
    if ('value' in converted) return validate()({ ...(converted.value as object), ...json });
    if (isComposed) return converted;
    const checked = validate()(form);
    const others = 'errors' in checked ? checked.errors : [];
    const ofOthers = others.filter(({ pointer }) => !Object.hasOwn(texts, parsePointer(pointer)[0] ?? ''));
    return { errors: [...converted.errors, ...ofOthers] };
  };
}

/** Returns whether a value is text, a file, or a list of them; others are parsed JSON, or null. */
function isField(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isTextOrFile) : isTextOrFile(value);
}

function isTextOrFile(value: unknown): boolean {
  return typeof value === 'string' || value instanceof UploadedFile;
}

/** The schema without what it says about absent members. */
function withoutPresence(schema: SchemaNode): SchemaNode {
  const { required: _, minProperties: __, dependentRequired: ___, ...others } = schema;
  return others;
}

function listsOf(schema: object): ReadonlySet<string> {
  const root: SchemaNode = { ...schema };
  const lists = membersIn(root).filter(([, one]) => dereference(root, one).type === 'array');
  return new Set(lists.map(([name]) => name));
}
