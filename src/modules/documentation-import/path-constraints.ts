import { isList, listOf, type JsonObject } from '../../framework';
import { isSlowPattern } from '../content-validation';
import type { DocumentReferences } from './document/references';
import { unicodePattern } from './document/patterns';
import { METHODS } from './document/shapes';

/** Constraints by the names of parameters. */
export type PathConstraints = ReadonlyMap<string, string>;

export const UNCONSTRAINED: PathConstraints = new Map();

/**
 * Returns what the parameters of a path accept as constraints of a route, which tell it from a path that differs in the
 * names of its parameters only. Parameters without a constraint, or with several, have none, and neither have those of a
 * segment with several parameters: the time for a match would grow with a power of its length.
 */
export function pathConstraintsOf(
  path: string,
  item: JsonObject,
  references: DocumentReferences,
): PathConstraints {
  const adjacent = path
    .split('/')
    .map((segment) => [...segment.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name))
    .flatMap((names) => (names.length > 1 ? names : []));
  const owners = [item, ...METHODS.map((method) => references.resolve(item[method]))];
  const found = new Map<string, Set<string>>();
  for (const one of owners.flatMap(({ parameters }) => listOf(parameters))) {
    const { in: place, name, schema } = references.resolve(one);
    if (place !== 'path' || typeof name !== 'string' || adjacent.includes(name)) continue;
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
function constraintOf({ type, pattern: declared, enum: choices }: JsonObject): string {
  // No text is null.
  const values = isList(choices) ? choices.filter((one) => one !== null).map(String) : [];
  if (values.length > 0 && values.every((one) => PLAIN.test(one))) return values.join('|');
  const pattern = typeof declared === 'string' ? unicodePattern(declared) : undefined;
  if (pattern === undefined) return type === 'integer' ? String.raw`-?\d+` : '';
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
