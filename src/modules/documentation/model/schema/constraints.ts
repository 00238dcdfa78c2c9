import { ENGLISH } from '../../language/languages';
import type { JsonSchema } from '../data';
import { fileTypesOf } from '../file-types';

/** Keywords with a value. */
const BOUNDS = [
  'const',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'contentEncoding',
  'contentMediaType',
] as const;

/** Keywords with a number of characters, items or members. */
const AMOUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;

/** The keyword of a constraint; `rules` stands for keywords that the documentation only names. */
type ConstraintKeyword =
  | (typeof BOUNDS)[number]
  | (typeof AMOUNTS)[number]
  | 'enum'
  | 'uniqueItems'
  | 'x-file'
  | 'rules'
  | 'default';

/** A constraint, with its literal values or its amount. */
export interface Constraint {
  /** The keyword of JSON Schema, e.g. `format`; `rules` for others. */
  readonly keyword: ConstraintKeyword;
  /** The number of characters, items or members. */
  readonly amount?: number;
  readonly values: readonly unknown[];
  /** Titles and descriptions of the values, in their order; absent if no value has one. */
  readonly annotations?: readonly ValueAnnotation[];
}

/** The title and the description of a value; empty for none. */
export interface ValueAnnotation {
  readonly title: string;
  readonly description: string;
}

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
  if (all.length < 2) return all;
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function limitsOf(schema: JsonSchema): readonly Constraint[] {
  const { enum: choices, uniqueItems, 'x-file': file } = schema;
  const others = OTHERS.filter((keyword) => schema[keyword] !== undefined && schema[keyword] !== true);
  return [
    ...(Array.isArray(choices) ? [{ keyword: 'enum' as const, values: choices as unknown[] }] : []),
    ...BOUNDS.flatMap((keyword) =>
      schema[keyword] === undefined ? [] : [{ keyword, values: [schema[keyword]] }],
    ),
    ...AMOUNTS.flatMap((keyword) => {
      const amount = schema[keyword];
      if (typeof amount !== 'number' || (amount === 0 && keyword.startsWith('min'))) return [];
      return [{ keyword, amount, values: [] }];
    }),
    ...(uniqueItems === true ? [{ keyword: 'uniqueItems' as const, values: [] }] : []),
    ...(file === undefined
      ? []
      : [{ keyword: 'x-file' as const, values: fileTypesOf({ 'x-file': file }) ?? [] }]),
    ...(others.length === 0 ? [] : [{ keyword: 'rules' as const, values: others }]),
  ];
}

function defaultOf({ default: preset }: JsonSchema): readonly Constraint[] {
  return preset === undefined ? [] : [{ keyword: 'default', values: [preset] }];
}

/** Keywords whose values are shown without quotes, which would look like a part of them. */
const PLAIN: readonly ConstraintKeyword[] = [
  'format',
  'pattern',
  'contentEncoding',
  'contentMediaType',
  'x-file',
  'rules',
];

/** The label of a constraint: `Format`, `At least 1 character`. */
export function constraintLabel({ keyword, amount }: Constraint, language = ENGLISH): string {
  return language.text(`constraint.${keyword}`, { count: amount });
}

/** Formats a value of a constraint: JSON, so that `"1"` and `1` differ; names and expressions without quotes. */
export function constraintValue({ keyword }: Constraint, value: unknown): string {
  return PLAIN.includes(keyword) && typeof value === 'string' ? value : JSON.stringify(value);
}
