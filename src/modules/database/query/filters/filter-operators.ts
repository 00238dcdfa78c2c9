import { Type, type TSchema } from '@sinclair/typebox';

/** Operators of filters, in the order of the documentation. */
export const filterOperators = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'starts',
  'contains',
  'is',
] as const;

export type FilterOperator = (typeof filterOperators)[number];

/** Maximum number of values of `in`. */
export const MAX_VALUES = 100;

const MEANINGS: Readonly<Record<FilterOperator, string>> = {
  eq: 'equal to the value',
  ne: 'not equal to the value, or null',
  lt: 'less than the value',
  lte: 'at most the value',
  gt: 'greater than the value',
  gte: 'at least the value',
  in: 'one of several values',
  starts: 'beginning with the text',
  contains: 'containing the text',
  is: 'null or not null',
};

/** What an operator compares, as the end of a sentence. */
export function meaningOf(operator: FilterOperator): string {
  return MEANINGS[operator];
}

/** Whether an operator needs a text. */
export function needsText(operator: FilterOperator): boolean {
  return operator === 'starts' || operator === 'contains';
}

/**
 * Returns the schema of the query parameter of a filter.
 * @param column schema of the column's values
 */
export function filterSchema(name: string, operator: FilterOperator, column: TSchema): TSchema {
  const list = operator === 'in' ? ', separated by commas' : '';
  const description = `Entities with ${name} ${MEANINGS[operator]}${list}.`;
  if (operator === 'is') {
    return Type.Optional(Type.Union([Type.Literal('null'), Type.Literal('not_null')], { description }));
  }
  if (operator === 'in') return Type.Optional(Type.String({ minLength: 1, description }));
  if (needsText(operator)) return Type.Optional(Type.String({ minLength: 1, description }));
  return Type.Optional({ ...comparable(column), description } as TSchema);
}

/** The digits before the point that a column can have, in the pattern of its values. */
const WHOLE_DIGITS = /^\^-\?\\d\{1,\d+\}/;

/** A filter may compare with values that the column cannot have: only its type and format matter. */
export function comparable(column: TSchema): TSchema {
  const { type, format, enum: values, pattern } = column as Record<string, unknown>;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const first = types.find((one) => one !== 'null');
  const choices = Array.isArray(values) ? values.filter((one) => one !== null) : undefined;
  // Patterns restrict stored values, except for numbers that are written as strings: these may be larger.
  const isNumeric = typeof pattern === 'string' && pattern.startsWith('^-?\\d');
  return {
    ...(first === undefined ? { type: 'string' } : { type: first as string }),
    ...(format === undefined ? {} : { format }),
    ...(choices === undefined ? {} : { enum: choices }),
    ...(isNumeric ? { pattern: pattern.replace(WHOLE_DIGITS, '^-?\\d+') } : {}),
  } as unknown as TSchema;
}

/**
 * Returns the schema of a value that a request has to have itself: with a default, each DELETE would have a filter, and each
 * part of a nested filter a further condition.
 */
export function withoutDefault({ default: _, ...schema }: TSchema): TSchema {
  return schema;
}
