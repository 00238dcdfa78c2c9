import {
  COMPOSITIONS,
  dereference,
  lazily,
  listOf,
  objectOf,
  parsePointer,
  type SchemaNode,
} from '../../framework';
import { UploadedFile } from '../content-negotiation';
import type { Validator } from './validators';

/**
 * Converts the values of a form to the structure that its schema expects, before types are coerced.
 * @param cleared the names whose empty fields, or items, are null
 */
export function formValues(
  schema: object,
  form: unknown,
  cleared: ReadonlySet<string>,
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...(typeof form === 'object' ? form : {}) };
  // A name that occurs once is a list of one if the schema declares an array.
  for (const name of listsOf(schema))
    if (Object.hasOwn(values, name) && !Array.isArray(values[name])) values[name] = [values[name]];
  for (const name of cleared) if (Object.hasOwn(values, name)) values[name] = withNull(values[name]);
  return values;
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
const MAX_DEPTH = 4;

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
