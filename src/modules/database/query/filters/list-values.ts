import { listItems, problem } from '../../../../framework';
import { formatCheck, formats, isNumberText, restrictsType } from '../../../content-validation';
import type { TableFilter } from '../../table/table';
import { comparable, MAX_VALUES } from './filter-operators';

/** Returns the values of an `in` filter in a URL. @throws Problem 400 */
export function listedValues(filter: TableFilter, list: unknown): readonly unknown[] {
  const { column, parameter: name } = filter;
  const schema = comparable(column.schema) as ItemSchema;
  const values = listItems(String(list), schema.enum ?? []);
  const message = listError(schema, values);
  if (message === undefined) return values.map((text) => listValue(filter, text));
  throw problem('bad_query', { names: [name] }, { extensions: { errors: [{ parameter: name, message }] } });
}

function listValue({ column }: TableFilter, text: string): unknown {
  const { type } = comparable(column.schema) as { type?: string };
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

interface ItemSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  /** Of numbers that are written as strings. */
  readonly pattern?: string;
}

function listError(
  { type, enum: choices, format = '', pattern }: ItemSchema,
  values: readonly string[],
): string | undefined {
  if (values.length > MAX_VALUES) return `must have at most ${MAX_VALUES} values`;
  if (choices !== undefined) {
    const isChoice = (value: string): boolean =>
      choices.some((one) =>
        typeof one === 'number' ? isNumberText(value) && Number(value) === one : String(one) === value,
      );
    return values.every(isChoice) ? undefined : `must be a list of: ${choices.join(', ')}`;
  }
  if (pattern !== undefined) {
    const number = new RegExp(pattern, 'u');
    return values.every((value) => number.test(value)) ? undefined : 'must be a list of numbers';
  }
  if (type === 'string' && formats.includes(format) && restrictsType(format, type)) {
    const hasFormat = formatCheck(format) as (text: string) => boolean;
    return values.every(hasFormat) ? undefined : `must be a list of texts in the format "${format}"`;
  }
  if (type === 'integer') {
    const isInteger = (value: string): boolean => isNumberText(value) && Number.isSafeInteger(Number(value));
    return values.every(isInteger) ? undefined : 'must be a list of integers';
  }
  if (type === 'number') {
    const isFinite = (value: string): boolean => isNumberText(value) && Number.isFinite(Number(value));
    return values.every(isFinite) ? undefined : `must be a list of numbers up to ${Number.MAX_VALUE}`;
  }
  const isBoolean = (value: string): boolean => value === 'true' || value === 'false';
  return type === 'boolean' && !values.every(isBoolean) ? 'must be a list of true or false' : undefined;
}
