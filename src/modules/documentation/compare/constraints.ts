import { dereference, isSchema } from '../../../framework';
import type { JsonSchema } from '../model/data';
import { facetsOf, type Facets } from '../model/schema/facets';
import { comparableTypes, valuesOfMap } from '../model/type-name';

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

/** Nested lists, maps and unions whose values are compared: schemas may be recursive. */
const MAX_DEPTH = 8;

/** Schemas that apply to the same value, and the one in which their references are resolved. */
interface Compared extends Pick<Facets, 'parts' | 'unions'> {
  readonly root: JsonSchema;
}

/**
 * Compares the constraints of two schemas, those of the values in lists and maps and of alternatives included, those of
 * members excluded. What references, `allOf` and a union with null add applies as well.
 */
export function constraintChanges(before: JsonSchema, after: JsonSchema): readonly ConstraintChange[] {
  return changesOf(comparedOf(before, before), comparedOf(after, after), new Set());
}

function comparedOf(schema: unknown, root: JsonSchema): Compared {
  const { parts, unions } = facetsOf(schema, root);
  return { parts, unions, root };
}

/** @param seen alternatives that were compared: those of a recursive union occur again within it */
function changesOf(
  before: Compared,
  after: Compared,
  seen: Set<unknown>,
  depth = 0,
): readonly ConstraintChange[] {
  const [old, now] = [before.parts, after.parts];
  const inner = (label: string, valuesOf: (part: JsonSchema) => unknown): readonly ConstraintChange[] => {
    const [oldValues, newValues] = [old.map(valuesOf).filter(isSchema), now.map(valuesOf).filter(isSchema)];
    if (depth >= MAX_DEPTH || oldValues.length + newValues.length === 0) return [];
    const changes = changesOf(
      comparedOf({ allOf: oldValues }, before.root),
      comparedOf({ allOf: newValues }, after.root),
      seen,
      depth + 1,
    );
    return changes.map(({ text, direction }) => ({ text: `${label}: ${text}`, direction }));
  };
  return [
    ...LOWER_LIMITS.flatMap((keyword) => compareLimits(keyword, old, now, 1)),
    ...UPPER_LIMITS.flatMap((keyword) => compareLimits(keyword, old, now, -1)),
    ...ASSERTIONS.flatMap((keyword) =>
      compareAssertions(keyword, assertedBy(old, keyword), assertedBy(now, keyword)),
    ),
    ...compareAssertions(
      'additionalProperties',
      isClosed(old) ? false : undefined,
      isClosed(now) ? false : undefined,
    ),
    ...compareChoices(choicesOf(old), choicesOf(now)),
    ...inner('items', ({ items }) => items),
    ...inner('map values', valuesOfMap),
    ...(depth < MAX_DEPTH ? compareAlternatives(before, after, seen, depth + 1) : []),
  ];
}

function compareAlternatives(
  before: Compared,
  after: Compared,
  seen: Set<unknown>,
  depth: number,
): readonly ConstraintChange[] {
  const others = alternativesOf(after);
  return [...alternativesOf(before)].flatMap(([type, branch]) => {
    if (!others.has(type) || seen.has(branch)) return [];
    seen.add(branch);
    const [old, now] = [comparedOf(branch, before.root), comparedOf(others.get(type), after.root)];
    return changesOf(old, now, seen, depth).map(({ text, direction }) => ({
      text: `${type}: ${text}`,
      direction,
    }));
  });
}

/** Returns the alternatives of unions by type, except for those that have a type in common. */
function alternativesOf({ unions, root }: Compared): ReadonlyMap<string, unknown> {
  if (unions.length === 0) return new Map();
  const resolve = (part: unknown): JsonSchema => dereference(root, part);
  const typeOf = (branch: unknown): string =>
    [...comparableTypes(resolve(branch), resolve)].sort().join(' or ');
  const all = unions.flatMap(({ branches }) => branches.map((branch) => [typeOf(branch), branch] as const));
  const types = all.map(([type]) => type);
  return new Map(all.filter(([type]) => types.indexOf(type) === types.lastIndexOf(type)));
}

function compareLimits(
  keyword: string,
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
  sign: 1 | -1,
): readonly ConstraintChange[] {
  const [old, now] = [limitOf(keyword, before, sign), limitOf(keyword, after, sign)];
  if (old === now) return [];
  const rises = (now ?? -sign * Infinity) > (old ?? -sign * Infinity);
  const direction = rises === (sign === 1) ? 'narrower' : 'wider';
  return [{ text: describeChange(keyword, old, now), direction }];
}

/** Lower limits that allow everything if they are 0. */
const SIZES = ['minLength', 'minItems', 'minProperties'];

/** Returns the strictest of several limits. */
function limitOf(keyword: string, parts: readonly JsonSchema[], sign: 1 | -1): number | undefined {
  const limits = parts
    .map((part) => part[keyword])
    .filter((limit) => typeof limit === 'number')
    .filter((limit) => limit !== 0 || !SIZES.includes(keyword));
  if (limits.length === 0) return undefined;
  return sign === 1 ? Math.max(...limits) : Math.min(...limits);
}

/** Returns the value of a keyword; a list if several parts have different ones. */
function assertedBy(parts: readonly JsonSchema[], keyword: string): unknown {
  // `uniqueItems: false` asserts nothing.
  const values = parts.map((part) => part[keyword]).filter((value) => value !== undefined && value !== false);
  const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  return distinct.length > 1 ? distinct : distinct[0];
}

/** Whether members that are not declared are refused. */
function isClosed(parts: readonly JsonSchema[]): boolean {
  return parts.some((part) => part.additionalProperties === false || part.unevaluatedProperties === false);
}

function compareAssertions(keyword: string, old: unknown, now: unknown): readonly ConstraintChange[] {
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  const direction = old === undefined ? 'narrower' : now === undefined ? 'wider' : 'other';
  return [{ text: describeChange(keyword, old, now), direction }];
}

/** Returns the values that all parts allow; undefined if there is no such constraint. */
function choicesOf(parts: readonly JsonSchema[]): readonly string[] | undefined {
  const [first, ...others] = parts.flatMap(({ enum: choices, const: only }): (readonly string[])[] => {
    if (only !== undefined) return [[JSON.stringify(only)]];
    return Array.isArray(choices) ? [choices.map((value) => JSON.stringify(value))] : [];
  });
  if (first === undefined) return undefined;
  return [...new Set(first.filter((value) => others.every((one) => one.includes(value))))].sort();
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
