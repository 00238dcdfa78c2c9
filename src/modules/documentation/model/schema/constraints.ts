import type { JsonSchema } from '../data';
import type { Constraint, SchemaFlag } from './description';

/** Keywords whose value is shown after a label. */
const BOUNDS = [
  ['const', 'Always'],
  ['format', 'Format'],
  ['pattern', 'Matches'],
  ['minimum', 'At least'],
  ['maximum', 'At most'],
  ['exclusiveMinimum', 'Above'],
  ['exclusiveMaximum', 'Below'],
  ['multipleOf', 'A multiple of'],
  ['contentEncoding', 'Encoding'],
  ['contentMediaType', 'Media type'],
] as const;

const AMOUNTS = [
  ['minLength', 'At least', 'character'],
  ['maxLength', 'At most', 'character'],
  ['minItems', 'At least', 'item'],
  ['maxItems', 'At most', 'item'],
  ['minProperties', 'At least', 'member'],
  ['maxProperties', 'At most', 'member'],
] as const;

/** Keywords without a label; the documentation only names them. */
const OTHERS = [
  'not',
  'if',
  'contains',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
];

/** Returns the distinct constraints of several schemas that apply together. */
export function constraintsOf(parts: readonly JsonSchema[]): readonly Constraint[] {
  const all = parts.flatMap((part) => [...limitsOf(part), ...defaultOf(part)]);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function limitsOf(schema: JsonSchema): readonly Constraint[] {
  const { enum: choices, uniqueItems, 'x-file': file } = schema;
  const others = OTHERS.filter((keyword) => schema[keyword] !== undefined && schema[keyword] !== true);
  return [
    ...(Array.isArray(choices) ? [{ keyword: 'enum', words: 'One of', values: choices as unknown[] }] : []),
    ...BOUNDS.flatMap(([keyword, words]) =>
      schema[keyword] === undefined ? [] : [{ keyword, words, values: [schema[keyword]] }],
    ),
    ...AMOUNTS.flatMap(([keyword, words, unit]) => {
      const amount = schema[keyword];
      if (typeof amount !== 'number' || (amount === 0 && keyword.startsWith('min'))) return [];
      return [{ keyword, words: `${words} ${amount} ${unit}${amount === 1 ? '' : 's'}`, values: [] }];
    }),
    ...(uniqueItems === true ? [{ keyword: 'uniqueItems', words: 'Unique items', values: [] }] : []),
    ...(file === undefined ? [] : [{ keyword: 'x-file', words: 'File', values: typesOfFile(file) }]),
    ...(others.length === 0
      ? []
      : [{ keyword: 'rules', words: 'Further rules in the schema:', values: others }]),
  ];
}

function defaultOf({ default: preset }: JsonSchema): readonly Constraint[] {
  return preset === undefined ? [] : [{ keyword: 'default', words: 'Default', values: [preset] }];
}

function typesOfFile(rule: unknown): readonly unknown[] {
  const isRule = typeof rule === 'object' && rule !== null && 'types' in rule && Array.isArray(rule.types);
  return isRule ? (rule.types as readonly unknown[]) : [];
}

/** Keywords whose values are shown without quotes, which would look like a part of them. */
const PLAIN = ['format', 'pattern', 'contentEncoding', 'contentMediaType', 'x-file', 'rules'];

/** Formats a value of a constraint: JSON, so that `"1"` and `1` differ; names and expressions without quotes. */
export function constraintValue({ keyword }: Constraint, value: unknown): string {
  return PLAIN.includes(keyword) && typeof value === 'string' ? value : JSON.stringify(value);
}

const FLAGS = [
  ['readOnly', 'read-only'],
  ['writeOnly', 'write-only'],
  ['deprecated', 'deprecated'],
] as const;

/** Returns the flags of several schemas that apply together. */
export function flagsOf(parts: readonly JsonSchema[]): readonly SchemaFlag[] {
  return FLAGS.flatMap(([keyword, flag]) => (parts.some((part) => part[keyword] === true) ? [flag] : []));
}
