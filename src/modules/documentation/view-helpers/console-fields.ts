import type { JsonSchema } from '../model/data';
import { describeSchema } from '../model/schema/describe-schema';
import type { Constraint } from '../model/schema/constraints';
import { sizeOf, type SchemaDescription } from '../model/schema/description';
import { typeText } from '../model/schema/type-text';
import { proseExcerpt } from '../text/excerpt';

/** An input of the console. */
export interface ConsoleInput {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: unknown;
  readonly example?: unknown;
  /** The items of a parameter that is a list. */
  readonly items?: ConsoleField;
}

/** An input of a body. */
export interface ConsoleField extends ConsoleInput {
  readonly type: string;
  /** The members of an object; none if unknown. */
  readonly fields: readonly ConsoleField[];
  /** The alternatives of the value, in addition to common members; with their labels. */
  readonly alternatives?: readonly ConsoleField[];
}

/** Fields of a form; larger bodies are edited as text. */
const MAX_FIELDS = 300;
/** Options of a select; longer lists are edited as text. */
const MAX_CHOICES = 300;

/** Describes a body for a form; undefined if it is edited as text only. */
export function bodyField(schema: JsonSchema): ConsoleField | undefined {
  const described = describeSchema(schema, { most: MAX_FIELDS + 1 });
  if (sizeOf(described) > MAX_FIELDS) return undefined;
  const field = fieldOf('', true, described);
  return field.fields.length > 0 || field.alternatives !== undefined ? field : undefined;
}

function fieldOf(name: string, required: boolean, schema: SchemaDescription): ConsoleField {
  const { description, members, unions, isReference, items } = schema;
  const isList = schema.types.includes('array') && items !== undefined && !isReference;
  const [union, ...others] = unions;
  // A value with several unions is edited as text, like lists and other values with members.
  const hasParts = isObject(schema) && others.length === 0;
  const isUnion = union !== undefined && others.length === 0 && union.more === 0 && !isReference && !isList;
  const known = new Set(members.map((member) => member.name));
  return {
    name,
    required,
    description,
    type: typeText(schema),
    schema: inputSchema(schema),
    fields: hasParts ? members.map((member) => fieldOf(member.name, member.isRequired, member.schema)) : [],
    ...(isList ? { items: fieldOf(name, false, items) } : {}),
    ...(isUnion
      ? {
          alternatives: union.alternatives.map((one) => {
            const field = fieldOf(one.label, false, one.schema);
            return { ...field, fields: field.fields.filter((member) => !known.has(member.name)) };
          }),
        }
      : {}),
  };
}

/** Describes the items of a parameter that is a list of scalars; undefined for other parameters. */
export function itemsField(name: string, schema: SchemaDescription): ConsoleField | undefined {
  const { types, items } = schema;
  if (items === undefined || types.length !== 1 || types[0] !== 'array') return undefined;
  const isScalar =
    items.types.length > 0 && !items.types.some((type) => type === 'array' || type === 'object');
  return isScalar ? fieldOf(name, false, items) : undefined;
}

/** Only objects are edited by member. */
function isObject({ types, isReference }: SchemaDescription): boolean {
  return !isReference && types.every((type) => type === 'object');
}

/** Returns the parts of a schema that an input needs, as JSON Schema. */
export function inputSchema({ types, isNullable, constraints }: SchemaDescription): JsonSchema {
  const all = isNullable ? [...types, 'null'] : types;
  const choices = valuesOf(constraints, 'enum') ?? valuesOf(constraints, 'const');
  const titles = constraints.find(({ annotations }) => annotations !== undefined)?.annotations;
  const hasChoices = choices !== undefined && choices.length <= MAX_CHOICES;
  const [format] = valuesOf(constraints, 'format') ?? [];
  return {
    type: all.length > 1 ? all : all[0],
    enum: hasChoices ? choices : undefined,
    'x-titles': hasChoices
      ? titles?.map(({ title, description }) => title || firstLine(description))
      : undefined,
    format,
    ...boundsOf(constraints),
    'x-file': constraints.some(({ keyword }) => keyword === 'x-file') ? true : undefined,
  };
}

/** Characters of a description in an option of a select. */
const MAX_OPTION_LENGTH = 100;

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return proseExcerpt(line, MAX_OPTION_LENGTH).text;
}

function valuesOf(constraints: readonly Constraint[], keyword: string): readonly unknown[] | undefined {
  return constraints.find((constraint) => constraint.keyword === keyword)?.values;
}

/** Keywords whose strictest value is the highest, and those where it is the lowest. */
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

/** Returns the bounds that inputs of a browser have, too. */
function boundsOf(constraints: readonly Constraint[]): JsonSchema {
  const bounds: Record<string, unknown> = {};
  for (const { keyword, values, amount = values[0] } of constraints) {
    if (keyword === 'pattern' || keyword === 'multipleOf') bounds[keyword] ??= amount;
    if (typeof amount !== 'number') continue;
    const before = bounds[keyword];
    const known = typeof before === 'number' ? before : amount;
    if (LOWER.includes(keyword)) bounds[keyword] = Math.max(known, amount);
    if (UPPER.includes(keyword)) bounds[keyword] = Math.min(known, amount);
  }
  return bounds;
}
