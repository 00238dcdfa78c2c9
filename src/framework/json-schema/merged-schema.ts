import { areEqual } from '../values/are-equal';
import { isList, listOf } from '../values/config-object';
import { hasSubschemas, isAnnotation, type SchemaNode } from './subschemas';

/** Returns the value that allows what both allow; undefined if no single one does. */
type Intersect = (one: unknown, other: unknown) => unknown;

const ofNumbers =
  (choose: (...values: number[]) => number): Intersect =>
  (one, other) =>
    typeof one === 'number' && typeof other === 'number' ? choose(one, other) : undefined;

const [lowest, highest] = [ofNumbers(Math.min), ofNumbers(Math.max)];

const INTERSECTIONS: Readonly<Record<string, Intersect | undefined>> = {
  maximum: lowest,
  exclusiveMaximum: lowest,
  maxLength: lowest,
  maxItems: lowest,
  maxProperties: lowest,
  minimum: highest,
  exclusiveMinimum: highest,
  minLength: highest,
  minItems: highest,
  minProperties: highest,
  enum: commonValues,
  type: commonTypes,
  required: (one, other) => (isList(one) && isList(other) ? [...new Set([...one, ...other])] : undefined),
  uniqueItems: (one, other) => one === true || other === true,
};

/** Keywords whose meaning depends on others of the same schema (JSON Schema 2020-12, Core, 10.2.2 and 10.3). */
const DEPENDENT: Readonly<Record<string, readonly string[]>> = {
  additionalProperties: ['properties', 'patternProperties'],
  items: ['prefixItems'],
  maxContains: ['contains'],
  minContains: ['contains'],
  then: ['if'],
  else: ['if'],
};

/** Whether a keyword next to those of a schema would change what one of them means, or they what it means. */
function changesMeaning(keyword: string, schema: SchemaNode): boolean {
  return Object.entries(DEPENDENT).some(([dependent, others]) =>
    keyword === dependent
      ? others.some((other) => other in schema)
      : others.includes(keyword) && dependent in schema,
  );
}

/** Whether a schema applies another one to what the applicators next to it, or within them, leave. */
function hasUnevaluated(schema: SchemaNode): boolean {
  return 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema;
}

/** Applies a target as its reference does: keywords next to the reference see what it evaluates, but not the reverse. */
function applied(target: SchemaNode, siblings: SchemaNode): SchemaNode {
  const described = Object.fromEntries(Object.entries(target).filter(([keyword]) => isAnnotation(keyword)));
  return { ...described, ...siblings, allOf: [target, ...listOf(siblings.allOf)] };
}

/**
 * Merges the target of a reference and the keywords next to it, which apply in addition. Of a keyword that both have, the
 * result has the value that allows what both allow; constraints without such a value remain apart, in `allOf`.
 */
export function merged(target: SchemaNode, siblings: SchemaNode): SchemaNode {
  const intersected: Record<string, unknown> = {};
  const annotations: Record<string, unknown> = {};
  const constraints: Record<string, unknown> = {};
  const isEvaluated = hasUnevaluated(target);
  let isApart = false;
  for (const [keyword, value] of Object.entries(siblings)) {
    if (isAnnotation(keyword) || keyword.startsWith('$')) {
      annotations[keyword] = value;
      continue;
    }
    const differs = keyword in target && !areEqual(target[keyword], value);
    const both = differs ? INTERSECTIONS[keyword]?.(target[keyword], value) : undefined;
    if (both !== undefined) {
      intersected[keyword] = both;
      continue;
    }
    constraints[keyword] = value;
    isApart ||= differs || changesMeaning(keyword, target) || (isEvaluated && hasSubschemas(keyword));
  }
  if (isApart && (isEvaluated || hasUnevaluated(siblings))) return applied(target, siblings);
  const common = { ...target, ...annotations, ...intersected };
  return isApart
    ? { ...common, allOf: [...listOf(target.allOf), constraints] }
    : { ...common, ...constraints };
}

function commonValues(one: unknown, other: unknown): unknown {
  const values = listOf(one).filter((value) => listOf(other).some((each) => areEqual(each, value)));
  return values.length === 0 ? undefined : values;
}

function commonTypes(one: unknown, other: unknown): unknown {
  const [own, others] = [typesOf(one), typesOf(other)];
  const types = own.flatMap((type) => {
    if (others.includes(type)) return [type];
    // Each integer is a number (JSON Schema Validation, 6.1.1).
    if (type === 'number' && others.includes('integer')) return ['integer'];
    return type === 'integer' && others.includes('number') ? [type] : [];
  });
  const distinct = [...new Set(types)];
  return distinct.length > 1 ? distinct : distinct[0];
}

function typesOf(type: unknown): readonly unknown[] {
  return isList(type) ? type : [type];
}
