import type { JsonSchema } from '../model/data';

/** Whether values that were fine before may not be fine after, or the other way round; `other` when it may be both. */
export type Direction = 'narrower' | 'wider' | 'other';

/** A difference in what a schema asks of a value. */
export interface ConstraintChange {
  readonly words: string;
  readonly direction: Direction;
}

/** Keywords whose rise asks more, and those whose rise asks less (JSON Schema Validation, 6). */
const FLOORS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const CEILINGS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords that ask something by being there; whether one value asks more than another is not known. */
const DEMANDS = ['pattern', 'format', 'multipleOf', 'uniqueItems'];

/** What one schema asks of a value that the other does not, its members left out. */
export function constraintChanges(before: JsonSchema, after: JsonSchema): readonly ConstraintChange[] {
  return [
    ...FLOORS.flatMap((keyword) => limitChange(keyword, before, after, 1)),
    ...CEILINGS.flatMap((keyword) => limitChange(keyword, before, after, -1)),
    ...DEMANDS.flatMap((keyword) => demandChange(keyword, before[keyword], after[keyword])),
    ...choiceChange(choicesOf(before), choicesOf(after)),
  ];
}

function limitChange(
  keyword: string,
  before: JsonSchema,
  after: JsonSchema,
  sign: 1 | -1,
): readonly ConstraintChange[] {
  const [old, now] = [numberOf(before[keyword]), numberOf(after[keyword])];
  if (old === now) return [];
  const rises = (now ?? -sign * Infinity) > (old ?? -sign * Infinity);
  const direction = rises === (sign === 1) ? 'narrower' : 'wider';
  return [{ words: words(keyword, old, now), direction }];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function demandChange(keyword: string, old: unknown, now: unknown): readonly ConstraintChange[] {
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  const direction = old === undefined ? 'narrower' : now === undefined ? 'wider' : 'other';
  return [{ words: words(keyword, old, now), direction }];
}

/** The only values there are; undefined where any is fine. */
function choicesOf({ enum: choices, const: only, anyOf }: JsonSchema): readonly string[] | undefined {
  if (only !== undefined) return [JSON.stringify(only)];
  const branches: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
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

function choiceChange(
  old: readonly string[] | undefined,
  now: readonly string[] | undefined,
): readonly ConstraintChange[] {
  const [olds, nows] = [new Set(old), new Set(now)];
  const lost = old === undefined ? now !== undefined : now !== undefined && old.some((one) => !nows.has(one));
  const won = now === undefined ? old !== undefined : old !== undefined && now.some((one) => !olds.has(one));
  if (!lost && !won) return [];
  const isOther = lost && won;
  return [
    {
      words: words('values', listed(old), listed(now)),
      direction: isOther ? 'other' : lost ? 'narrower' : 'wider',
    },
  ];
}

/** Values that are told of at most. */
const MOST_VALUES = 50;

function listed(values: readonly string[] | undefined): string | undefined {
  if (values === undefined || values.length <= MOST_VALUES) return values?.join(', ');
  return `${values.slice(0, MOST_VALUES).join(', ')} and ${values.length - MOST_VALUES} more`;
}

function words(keyword: string, old: unknown, now: unknown): string {
  const said = (value: unknown): string =>
    value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  return `${keyword}: ${said(old)} → ${said(now)}`;
}
