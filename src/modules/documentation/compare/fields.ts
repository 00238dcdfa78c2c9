import { dereference, type Steps } from '../../../framework';
import type { FieldData, JsonSchema, ParameterData } from '../model/data';
import type { Field } from '../model/field';
import { comparableTypes, typeName } from '../model/type-name';
import { matchByKey, type Difference } from './change';
import { constraintChanges, type Direction } from './constraints';

/** A field, parameter or body to compare. */
export interface ComparedField {
  /** The path of names, e.g. `location.latitude`; empty for a body. */
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  readonly schema: JsonSchema;
  /** Whether its members are omitted. */
  readonly cut: boolean;
}

/** Fields that are compared in one step. */
const FIELDS_PER_STEP = 200;

type FieldSubject =
  'field' | 'request body' | 'request field' | 'response body' | 'response field' | 'parameter';

/** Flattens a tree of fields. */
export function comparedFields(fields: readonly Field[], above = ''): readonly ComparedField[] {
  return fields.flatMap((field) => {
    const path = `${above}${field.getName()}`;
    const own = {
      path,
      required: field.isRequired(),
      type: field.getType(),
      schema: field.getSchema(),
      cut: field.isCut(),
    };
    return [own, ...comparedFields(field.getFields(), `${path}.`)];
  });
}

/** Flattens a tree of plain records. */
export function comparedFieldData(fields: readonly FieldData[], above = ''): readonly ComparedField[] {
  return fields.flatMap(({ name, required, type, schema, cut = false, fields: inner = [] }) => {
    const path = `${above}${name}`;
    return [{ path, required, type, schema, cut }, ...comparedFieldData(inner, `${path}.`)];
  });
}

export function comparedParameters(parameters: readonly ParameterData[]): readonly ComparedField[] {
  return parameters.map(({ name, required, schema }) => ({
    path: name,
    required,
    type: typeOf(schema),
    schema,
    cut: false,
  }));
}

/** Returns a body as a whole, whose members are fields; none without a body. */
export function comparedBody(schema: JsonSchema | null): readonly ComparedField[] {
  return schema === null ? [] : [{ path: '', required: true, type: typeOf(schema), schema, cut: false }];
}

function typeOf(schema: JsonSchema): string {
  return typeName(dereference(schema, schema), (part) => dereference(schema, part));
}

/** Whether values of a type are of another one, too. */
function isWithin(type: string, whole: string): boolean {
  return type === whole || whole === 'any' || (whole === 'number' && type === 'integer');
}

/** Keywords whose types are not compared. */
const UNTYPED = ['allOf', 'if', 'not'];

/** Whether a value is of a type that is not known. */
function isUnknown(types: readonly string[], { schema }: ComparedField): boolean {
  return types.includes('any') && UNTYPED.some((keyword) => keyword in dereference(schema, schema));
}

/** Returns how the types of a value changed; undefined if they are the same, also in another order. */
function typeChange(before: ComparedField, after: ComparedField): Direction | undefined {
  if (before.type === after.type) return undefined;
  const [old = [], now = []] = [before, after].map(({ schema }) =>
    comparableTypes(dereference(schema, schema), (part) => dereference(schema, part)),
  );
  const outside = (types: readonly string[], others: readonly string[]): readonly string[] =>
    types.filter((type) => !others.some((other) => isWithin(type, other)));
  const [removed, added] = [outside(old, now), outside(now, old)];
  if (removed.length + added.length === 0) return undefined;
  if (isUnknown(old, before) || isUnknown(now, after)) return 'other';
  // The constraints of several types would not be compared.
  const isSingle = [old, now].every((types) => types.filter((type) => type !== 'null').length <= 1);
  const isNull = [...removed, ...added].every((type) => type === 'null');
  if ((removed.length > 0 && added.length > 0) || (!isSingle && !isNull)) return 'other';
  return added.length > 0 ? 'wider' : 'narrower';
}

/**
 * Compares two lists of fields. A request change is breaking if more is required; a response change if less is
 * guaranteed. Members that either version omits are not compared.
 */
export function* fieldDifferences(
  subject: FieldSubject,
  before: readonly ComparedField[],
  after: readonly ComparedField[],
): Steps<readonly Difference[]> {
  const isRequest = ['request body', 'request field', 'parameter'].includes(subject);
  const isKnown = outsideCutFields([...before, ...after]);
  const { removed, added, both } = matchByKey(
    before.filter(isKnown),
    after.filter(isKnown),
    ({ path }) => path,
  );
  const differences = [
    ...removed.map(({ path, type }) => difference('removed', path, type, true)),
    ...added.map(({ path, type, required }) =>
      difference('added', path, required ? `${type}, required` : type, isRequest && required),
    ),
  ];
  for (const [at, [old, now]] of both.entries()) {
    differences.push(...changesOf(old, now));
    if (at % FIELDS_PER_STEP === 0) yield;
  }
  return differences;

  function difference(kind: Difference['kind'], name: string, detail: string, breaking: boolean): Difference {
    return { kind, subject, name, detail, breaking };
  }

  function changesOf(old: ComparedField, now: ComparedField): readonly Difference[] {
    const found: { readonly text: string; readonly breaks: boolean }[] = [];
    const types = typeChange(old, now);
    if (types !== undefined) found.push({ text: `${old.type} → ${now.type}`, breaks: breaks(types) });
    if (old.required !== now.required) {
      const text = now.required ? 'optional → required' : 'required → optional';
      found.push({ text, breaks: now.required === isRequest });
    }
    // Constraints of different types are not comparable; null has none.
    if (types !== 'other') {
      for (const { text, direction } of constraintChanges(old.schema, now.schema)) {
        found.push({ text, breaks: breaks(direction) });
      }
    }
    if (found.length === 0) return [];
    const detail = found.map(({ text }) => text).join('; ');
    const breaking = found.some((one) => one.breaks);
    return [difference('changed', now.path, detail, breaking)];
  }

  function breaks(direction: Direction): boolean {
    return direction === 'other' || (direction === 'narrower') === isRequest;
  }
}

/** Returns a test for fields outside of fields whose members are omitted. */
function outsideCutFields(fields: readonly ComparedField[]): (field: ComparedField) => boolean {
  const cut = fields.filter((field) => field.cut).map(({ path }) => `${path}.`);
  const above = new Set(cut);
  if (above.size === 0) return () => true;
  return ({ path }) => !ancestorPaths(path).some((beginning) => above.has(beginning));
}

/** Returns every prefix of a path that may be a field; names may contain dots. */
function ancestorPaths(path: string): readonly string[] {
  return [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index + 1));
}
