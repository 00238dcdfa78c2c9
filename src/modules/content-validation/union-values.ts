import { allSubschemas, isSchema, dereference, type SchemaNode } from '../../framework';
import type { ValidationError, Validator } from './validators';
import { isText } from './form-values';
import { isNumberText } from './text-values';

/** Unions and lists in one another: a schema may refer to itself. */
const MAX_DEPTH = 4;

/** Before the types of the items of a list. */
const LIST = '[]';

/** A schema of texts whose unions stand apart. */
export interface SplitSchema {
  /** Whose other members a validator turns into what they want; of the unions it has their defaults only. */
  readonly others: SchemaNode;
  /** The members that may be text or something else, as they are when they are turned into it. */
  readonly unions: SchemaNode;
  /** Those of the unions. */
  readonly names: ReadonlySet<string>;
  /** What a text, or several, may mean for one of the unions, the likeliest first: what is no text before text. */
  readonly meanings: (name: string, text: string | readonly string[]) => readonly unknown[];
}

/**
 * Takes the unions of different types out of a schema of texts, such as `Integer | 'all'`: a validator that turns text
 * into types tries one branch after the other on the same value, and leaves what the last one made of it.
 * @returns undefined for a schema without such
 */
export function splitMixedUnions(schema: object): SplitSchema | undefined {
  if (!isSchema(schema) || !isSchema(schema.properties)) return undefined;
  const root: SchemaNode = schema;
  const kinds = new Map(
    Object.entries(schema.properties).map(([name, member]) => [name, new Set(kindsOf(root, member, 0))]),
  );
  const mixed = Object.entries(schema.properties).filter(([name]) => (kinds.get(name)?.size ?? 0) > 1);
  // What refers to others by their own names needs them where they are.
  if (mixed.length === 0 || allSubschemas(schema).some(({ $id: id }, at) => at > 0 && id !== undefined))
    return undefined;
  const names = new Set(mixed.map(([name]) => name));
  const defaults = mixed.map(([name, member]) => [
    name,
    isSchema(member) && 'default' in member ? { default: member.default } : {},
  ]);
  const { $defs: definitions, $schema: dialect } = schema;
  return {
    others: { ...schema, properties: { ...schema.properties, ...Object.fromEntries(defaults) } },
    unions: {
      ...(dialect === undefined ? {} : { $schema: dialect }),
      type: 'object',
      properties: Object.fromEntries(mixed),
      ...(definitions === undefined ? {} : { $defs: definitions }),
    },
    names,
    meanings: (name, text) => [...meaningsOf(kinds.get(name) ?? new Set(), text)],
  };
}

/** The types that a schema speaks of, those of lists with brackets before them: `[]number`. */
function kindsOf(root: SchemaNode, part: unknown, depth: number): readonly string[] {
  if (!isSchema(part) || depth > MAX_DEPTH) return [];
  const { type, items, anyOf = [], oneOf = [], const: only, enum: values = [] } = dereference(root, part);
  const types = [type].flat().filter((one): one is string => typeof one === 'string' && one !== 'array');
  // Beside other types in one list, null is what an empty text is only where it cannot be text.
  const named = types.length > 1 ? types.filter((one) => one !== 'null') : types;
  const told = type === undefined ? [only, values].flat().filter((one) => one !== undefined) : [];
  return [
    ...named.map((one) => (one === 'integer' ? 'number' : one)),
    ...told.map((one) => (one === null ? 'null' : typeof one)),
    ...[anyOf, oneOf].flat().flatMap((one) => kindsOf(root, one, depth + 1)),
    ...kindsOf(root, items, depth + 1).map((kind) => LIST + kind),
  ];
}

function* meaningsOf(
  kinds: ReadonlySet<string>,
  text: string | readonly string[],
): Generator<unknown, void, undefined> {
  if (typeof text === 'string') yield* valuesOf(text);
  const ofItems = [...kinds].filter((kind) => kind.startsWith(LIST)).map((kind) => kind.slice(LIST.length));
  if (ofItems.length > 0) {
    yield [text].flat().map((one) => valuesOf(one).find((value) => ofItems.includes(kindOf(value))) ?? one);
  }
  yield typeof text === 'string' ? [text] : text;
}

/** What a text may mean, by itself. A number that would be rounded is the last that is thought of. */
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
 * A validator of texts whose unions are what they fit first.
 * @param others validates the members that are no unions, and turns them into what they want
 * @param unions validates unions as they are
 */
export function unionValidator(
  { names, meanings }: SplitSchema,
  others: Validator,
  unions: Validator,
): Validator {
  return (given) => {
    const values: Record<string, unknown> = { ...(given as object) };
    const errors: ValidationError[] = [];
    for (const [name, value] of Object.entries(values)) {
      if (!names.has(name)) continue;
      const possible = isText(value) ? meanings(name, value) : [value];
      const checked = possible.map((meaning) => unions({ [name]: meaning }));
      const at = checked.findIndex((one) => 'value' in one);
      const [first] = checked;
      if (at >= 0) values[name] = possible[at];
      else if (first !== undefined && 'errors' in first) errors.push(...first.errors);
    }
    const checked = others(values);
    if (errors.length === 0) return checked;
    return { errors: [...errors, ...('errors' in checked ? checked.errors : [])] };
  };
}
