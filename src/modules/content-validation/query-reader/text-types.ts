import { isSchema, type SchemaNode } from '../../../framework';

/** Converts a text to the value of a type; undefined for a text in another than the usual notation. */
type TextConversion = (text: string) => unknown;

/** How the texts of a parameter become its value. */
export interface ReadableParameter {
  readonly convert: TextConversion;
  /** Whether the value is a list of the texts of all parameters of that name. */
  readonly isList: boolean;
}

/** Keywords that restrict no value. */
const ANNOTATIONS = ['title', 'description', 'examples', 'deprecated', '$comment', 'readOnly', 'writeOnly'];

/** Keywords that restrict a converted value as they restrict one that Ajv converts. */
const RESTRICTIONS = [
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'x-sort-by',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
];

const LIST_RESTRICTIONS = ['minItems', 'maxItems', 'uniqueItems'];

/** Keywords that change values, or expect other values than text. */
const MODIFYING = ['x-read-only', 'x-file'];

/** Whether a keyword restricts nothing, in every schema. */
export function isAnnotation(keyword: string): boolean {
  if (ANNOTATIONS.includes(keyword)) return true;
  return keyword.startsWith('x-') && !RESTRICTIONS.includes(keyword) && !MODIFYING.includes(keyword);
}

/** Returns how to read the parameter of a schema; undefined for a schema whose conversion is left to Ajv. */
export function readableParameter(schema: unknown): ReadableParameter | undefined {
  if (!isSchema(schema)) return undefined;
  if (schema.type !== 'array') {
    const convert = conversionOf(schema);
    return convert && { convert, isList: false };
  }
  const { items } = schema;
  if (!isSchema(items) || 'default' in schema) return undefined;
  if (!hasOnly(schema, ['type', 'items', ...LIST_RESTRICTIONS])) return undefined;
  const convert = conversionOf(items);
  return convert && { convert, isList: true };
}

/** Returns whether a parameter accepts every value that its texts are converted to. */
export function acceptsConverted(schema: SchemaNode): boolean {
  if (schema.type !== 'array') return hasOnly(schema, ['type']) && typeof schema.type === 'string';
  return hasOnly(schema, ['type', 'items']) && isSchema(schema.items) && acceptsConverted(schema.items);
}

function conversionOf(schema: SchemaNode): TextConversion | undefined {
  const { type, anyOf } = schema;
  if (anyOf !== undefined) {
    const areTexts = Array.isArray(anyOf) && anyOf.every((one) => isSchema(one) && isText(one));
    return areTexts && hasOnly(schema, ['anyOf', 'default']) ? toText : undefined;
  }
  if (!hasOnly(schema, ['type', 'default', ...RESTRICTIONS])) return undefined;
  if (type === 'integer') return toInteger;
  if (type === 'number') return toNumber;
  if (type === 'boolean') return toBoolean;
  return isText(schema) ? toText : undefined;
}

/** Whether a schema is that of text. Without a type, Ajv converts nothing, but other values may be wanted. */
function isText(schema: SchemaNode): boolean {
  if (!hasOnly(schema, ['type', 'default', ...RESTRICTIONS])) return false;
  if (schema.type !== undefined) return schema.type === 'string';
  const values: readonly unknown[] = 'const' in schema ? [schema.const] : [schema.enum].flat();
  return values.every((value) => typeof value === 'string');
}

function hasOnly(schema: SchemaNode, keywords: readonly string[]): boolean {
  return Object.keys(schema).every((keyword) => keywords.includes(keyword) || isAnnotation(keyword));
}

function toText(text: string): string {
  return text;
}

/** Every integer of so many digits is exact. */
const INTEGER = /^-?\d{1,15}$/;

function toInteger(text: string): number | undefined {
  return INTEGER.test(text) ? Number(text) : undefined;
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

function toNumber(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined;
}

function toBoolean(text: string): boolean | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}
