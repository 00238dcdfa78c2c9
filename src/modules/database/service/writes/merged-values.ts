import { formatPointer, isPlainObject, ownValue } from '../../../../framework';
import { failedValidation, type ValidationError } from '../../../content-validation';
import { mergePatch } from '../../../hosting';
import { ExactNumber, formatExactJson, isExactNumberText } from '../../schema/exact-json';
import type { Entity } from '../entity-mapper';
import type { TableColumnInfo } from '../table';

/**
 * Merges JSON values of a patch into the stored ones (RFC 7396).
 * @param names the columns of these values
 * @param limit bytes of a value: without it, one would grow with each patch until nobody can read it
 * @throws Problem 422 for a value that grows beyond the limit
 */
export function mergedValues(names: readonly string[], patch: Entity, stored: Entity, limit: number): Entity {
  const merged = names.map((name): [string, unknown] => [name, mergePatch(stored[name], patch[name])]);
  const errors = merged.flatMap(([name, value]): readonly ValidationError[] => {
    const size = bytesOf(value);
    // A value that another program has stored can be reduced in several steps.
    if (size <= limit || size < bytesOf(stored[name])) return [];
    const message = `would have ${size} bytes with the patch; at most ${limit} are allowed`;
    return [{ pointer: formatPointer([name]), keyword: 'size', message }];
  });
  if (errors.length > 0) throw failedValidation(errors);
  return Object.fromEntries(merged);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(formatExactJson(value));
}

/** The columns whose values in a body have a text that responses may have in place of a number. */
export function columnsWithNumberTexts(
  columns: readonly TableColumnInfo[],
  body: Entity,
): readonly TableColumnInfo[] {
  return columns.filter(({ name, model }) => model.type === 'json' && hasNumberText(body[name]));
}

function hasNumberText(value: unknown): boolean {
  if (typeof value === 'string') return isExactNumberText(value);
  if (Array.isArray(value)) return value.some(hasNumberText);
  return isPlainObject(value) && Object.values(value).some(hasNumberText);
}

/**
 * Returns a body with the exact numbers of the stored JSON values where it has their digits as texts, as responses do: clients
 * send entities as they received them.
 */
export function withStoredNumbers(columns: readonly TableColumnInfo[], body: Entity, stored: Entity): Entity {
  const values = columns.map(({ name }) => [name, withNumbers(body[name], stored[name])] as const);
  return { ...body, ...Object.fromEntries(values) };
}

function withNumbers(value: unknown, stored: unknown): unknown {
  if (stored instanceof ExactNumber) return value === stored.text ? stored : value;
  if (Array.isArray(value))
    return Array.isArray(stored) ? value.map((one, at) => withNumbers(one, stored[at])) : value;
  if (!isPlainObject(value) || !isPlainObject(stored)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withNumbers(one, ownValue(stored, name))]),
  );
}
