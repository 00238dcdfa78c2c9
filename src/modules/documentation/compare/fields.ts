import type { Steps } from '../../../framework';
import type { FieldData, JsonSchema, ParameterData } from '../model/data';
import type { Field } from '../model/field';
import { matched, type Difference } from './change';
import { constraintChanges, type Direction } from './constraints';

/** A field or parameter, as far as it is compared. */
export interface Compared {
  /** With the names that lead to it, e.g. `location.latitude`. */
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  readonly schema: JsonSchema;
  /** Whether only the schema tells its members. */
  readonly cut: boolean;
}

/** Fields that are compared at a step. */
const AT_A_STEP = 200;

type FieldSubject = 'field' | 'request field' | 'response field' | 'parameter';

/** Every field of a tree. */
export function comparedFields(fields: readonly Field[], above = ''): readonly Compared[] {
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

/** Every field of a tree of plain records. */
export function comparedData(fields: readonly FieldData[], above = ''): readonly Compared[] {
  return fields.flatMap(({ name, required, type, schema, cut = false, fields: inner = [] }) => {
    const path = `${above}${name}`;
    return [{ path, required, type, schema, cut }, ...comparedData(inner, `${path}.`)];
  });
}

export function comparedParameters(parameters: readonly ParameterData[]): readonly Compared[] {
  return parameters.map(({ name, required, schema }) => ({
    path: name,
    required,
    type: typeof schema.type === 'string' ? schema.type : JSON.stringify(schema.type ?? 'any'),
    schema,
    cut: false,
  }));
}

/**
 * What differs between two lists of fields. Requests break when more is asked of them; answers break when less can be
 * relied on. Where the members of a field are not known of both, they are not compared.
 */
export function* fieldDifferences(
  subject: FieldSubject,
  before: readonly Compared[],
  after: readonly Compared[],
): Steps<readonly Difference[]> {
  const isSent = subject === 'request field' || subject === 'parameter';
  const isKnown = knownOf([...before, ...after]);
  const { removed, added, both } = matched(before.filter(isKnown), after.filter(isKnown), ({ path }) => path);
  const differences = [
    ...removed.map(({ path, type }) => difference('removed', path, type, true)),
    ...added.map(({ path, type, required }) =>
      difference('added', path, required ? `${type}, required` : type, isSent && required),
    ),
  ];
  for (const [at, [old, now]] of both.entries()) {
    differences.push(...changed(old, now));
    if (at % AT_A_STEP === 0) yield;
  }
  return differences;

  function difference(kind: Difference['kind'], name: string, detail: string, breaking: boolean): Difference {
    return { kind, subject, name, detail, breaking };
  }

  function changed(old: Compared, now: Compared): readonly Difference[] {
    const found: { readonly words: string; readonly breaks: boolean }[] = [];
    if (old.type !== now.type) found.push({ words: `${old.type} → ${now.type}`, breaks: true });
    if (old.required !== now.required) {
      const words = now.required ? 'optional → required' : 'required → optional';
      found.push({ words, breaks: now.required === isSent });
    }
    // With another type, the constraints are others too.
    if (old.type === now.type) {
      for (const { words, direction } of constraintChanges(old.schema, now.schema)) {
        found.push({ words, breaks: breaks(direction) });
      }
    }
    if (found.length === 0) return [];
    const detail = found.map(({ words }) => words).join('; ');
    const breaking = found.some((one) => one.breaks);
    return [difference('changed', now.path, detail, breaking)];
  }

  function breaks(direction: Direction): boolean {
    return direction === 'other' || (direction === 'narrower') === isSent;
  }
}

/** Tells what stands below no field that is cut. */
function knownOf(fields: readonly Compared[]): (field: Compared) => boolean {
  const cut = fields.filter((field) => field.cut).map(({ path }) => `${path}.`);
  const above = new Set(cut);
  if (above.size === 0) return () => true;
  return ({ path }) => !beginnings(path).some((beginning) => above.has(beginning));
}

/** What a path may stand below: names have dots too. */
function beginnings(path: string): readonly string[] {
  return [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index + 1));
}
