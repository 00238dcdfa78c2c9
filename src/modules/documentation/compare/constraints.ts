import { listOf } from '../../../framework';
import type { JsonSchema } from '../model/data';

/** Whether fewer or more values are valid than before; `other` if both are possible. */
export type Direction = 'narrower' | 'wider' | 'other';

/** A difference between the constraints of two schemas. */
export interface ConstraintChange {
  readonly text: string;
  readonly direction: Direction;
}

/** Lower and upper limits (JSON Schema Validation, 6). */
const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords whose values cannot be ordered by strictness. */
const ASSERTIONS = ['pattern', 'format', 'multipleOf', 'uniqueItems'];

/** Compares the constraints of two schemas, members excluded. */
export function constraintChanges(before: JsonSchema, after: JsonSchema): readonly ConstraintChange[] {
  return [
    ...LOWER_LIMITS.flatMap((keyword) => compareLimits(keyword, before, after, 1)),
    ...UPPER_LIMITS.flatMap((keyword) => compareLimits(keyword, before, after, -1)),
    ...ASSERTIONS.flatMap((keyword) => compareAssertions(keyword, before[keyword], after[keyword])),
    ...compareChoices(choicesOf(before), choicesOf(after)),
  ];
}

function compareLimits(
  keyword: string,
  before: JsonSchema,
  after: JsonSchema,
  sign: 1 | -1,
): readonly ConstraintChange[] {
  const [old, now] = [numberOf(before[keyword]), numberOf(after[keyword])];
  if (old === now) return [];
  const rises = (now ?? -sign * Infinity) > (old ?? -sign * Infinity);
  const direction = rises === (sign === 1) ? 'narrower' : 'wider';
  return [{ text: describeChange(keyword, old, now), direction }];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function compareAssertions(keyword: string, old: unknown, now: unknown): readonly ConstraintChange[] {
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  const direction = old === undefined ? 'narrower' : now === undefined ? 'wider' : 'other';
  return [{ text: describeChange(keyword, old, now), direction }];
}

/** Returns the allowed values; undefined if there is no such constraint. */
function choicesOf({ enum: choices, const: only, anyOf }: JsonSchema): readonly string[] | undefined {
  if (only !== undefined) return [JSON.stringify(only)];
  const branches = listOf(anyOf);
  const consts = branches.map((branch) =>
    typeof branch === 'object' && branch !== null && 'const' in branch ? branch.const : undefined,
  );
  const values: readonly unknown[] | undefined = Array.isArray(choices)
    ? choices
    : consts.length > 0 && !consts.includes(undefined)
      ? consts
      : undefined;
  return values === undefined ? undefined : [...new Set(values.map((value) => JSON.stringify(value)))].sort();
}

function compareChoices(
  old: readonly string[] | undefined,
  now: readonly string[] | undefined,
): readonly ConstraintChange[] {
  const [oldValues, newValues] = [new Set(old), new Set(now)];
  const isRemoved =
    old === undefined ? now !== undefined : now !== undefined && old.some((one) => !newValues.has(one));
  const isAdded =
    now === undefined ? old !== undefined : old !== undefined && now.some((one) => !oldValues.has(one));
  if (!isRemoved && !isAdded) return [];
  const isOther = isRemoved && isAdded;
  return [
    {
      text: describeChange('values', joinValues(old), joinValues(now)),
      direction: isOther ? 'other' : isRemoved ? 'narrower' : 'wider',
    },
  ];
}

/** Values that are listed. */
const MAX_VALUES = 50;

function joinValues(values: readonly string[] | undefined): string | undefined {
  if (values === undefined || values.length <= MAX_VALUES) return values?.join(', ');
  return `${values.slice(0, MAX_VALUES).join(', ')} and ${values.length - MAX_VALUES} more`;
}

function describeChange(keyword: string, old: unknown, now: unknown): string {
  const format = (value: unknown): string =>
    value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  return `${keyword}: ${format(old)} → ${format(now)}`;
}
