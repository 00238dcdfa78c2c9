import { isList, listOf, type JsonObject } from '../../framework';
import { isSlowPattern } from '../content-validation';
import type { DocumentReferences } from './document/references';
import { METHODS } from './document/shapes';

/** Constraints by the names of parameters. */
export type PathConstraints = ReadonlyMap<string, string>;

export const UNCONSTRAINED: PathConstraints = new Map();

/**
 * Returns what the parameters of a path accept as constraints of a route, which tell it from a path that differs in the
 * names of its parameters only. Parameters without a constraint, or with several, have none.
 */
export function pathConstraintsOf(item: JsonObject, references: DocumentReferences): PathConstraints {
  const owners = [item, ...METHODS.map((method) => references.resolve(item[method]))];
  const found = new Map<string, Set<string>>();
  for (const one of owners.flatMap(({ parameters }) => listOf(parameters))) {
    const { in: place, name, schema } = references.resolve(one);
    if (place !== 'path' || typeof name !== 'string') continue;
    found.set(name, (found.get(name) ?? new Set()).add(constraintOf(references.resolve(schema))));
  }
  return new Map(
    [...found].flatMap(([name, constraints]) => {
      const [constraint = '', ...others] = constraints;
      return constraint === '' || others.length > 0 ? [] : [[name, constraint] as const];
    }),
  );
}

/** A pattern of whole texts without groups, as the documentation writes the constraint of a route: `^(?:\d+)$`. */
const WHOLE = /^\^(?:\(\?:([^()]*)\)|([^()|]*))\$$/;

/** Routes are read without the flag "u" of patterns. */
const UNICODE = /\\[pPu]/;

const PLAIN = /^[\w-]+$/;

/** Returns the constraint of a schema; empty for one that routes cannot express. */
function constraintOf({ type, pattern, enum: values }: JsonObject): string {
  if (isList(values) && values.every((one) => PLAIN.test(String(one)))) return values.join('|');
  if (typeof pattern !== 'string') return type === 'integer' ? String.raw`-?\d+` : '';
  const [, grouped, bare] = WHOLE.exec(pattern) ?? [];
  const constraint = grouped ?? bare ?? '';
  const isUsable =
    isExpression(pattern, 'u') &&
    isExpression(constraint) &&
    !UNICODE.test(pattern) &&
    !isSlowPattern(pattern);
  return isUsable ? constraint : '';
}

function isExpression(text: string, flags = ''): boolean {
  try {
    return new RegExp(text, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
