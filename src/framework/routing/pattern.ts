import { recently } from '../values/recently';

/**
 * A route pattern such as `/atlas/countries[/:country_code]`. `:name` is a parameter, brackets enclose optional parts
 * and can be nested, and a parameter can have a constraint: `:version(\d+)`.
 */
export interface RoutePattern {
  readonly text: string;
  readonly parts: readonly PatternPart[];
}

/** A part of a route pattern: text as written and percent-encoded, a parameter, or an optional part. */
export type PatternPart =
  | { readonly kind: 'literal'; readonly text: string; readonly encoded: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly constraint: string | undefined }
  | {
      readonly kind: 'optional';
      readonly parts: readonly PatternPart[];
      /** Its parameters, without those of nested optional parts. */
      readonly required: readonly string[];
      /** All of its parameters. */
      readonly names: readonly string[];
    };

/**
 * Parses a route pattern.
 * @throws SyntaxError for unbalanced brackets, unnamed, duplicate or reserved parameters, invalid constraints, dot segments, and
 *   characters that are reserved in paths or in the router's syntax
 */
export function parsePattern(text: string): RoutePattern {
  return parsed(text);
}

/** The checks of a service and the router parse the same route, one after the other. */
const parsed = recently(1, (text: string): RoutePattern => {
  if (!text.startsWith('/') && !text.startsWith('[/'))
    throw new SyntaxError(`The route "${text}" must begin with "/".`);
  const { parts, at } = parseParts(text, 0, false);
  if (at < text.length) throw new SyntaxError(`The route "${text}" has a "]" without its "[".`);
  const names = parametersOf(parts);
  const duplicate = names.find((name, at) => names.indexOf(name) < at);
  if (duplicate !== undefined)
    throw new SyntaxError(`The route "${text}" has the parameter "${duplicate}" twice.`);
  // Assigning its value would set the prototype of the parameters.
  if (names.includes('__proto__'))
    throw new SyntaxError(`The route "${text}" has the parameter "__proto__". Choose another name.`);
  const dotSegment = dotSegmentOf(parts);
  if (dotSegment !== undefined)
    throw new SyntaxError(
      `The route "${text}" has the segment "${dotSegment}", which clients resolve before they send a request (RFC 3986, 5.2.4).`,
    );
  const [one, next] = adjacentIn(parts) ?? [];
  if (one !== undefined && next !== undefined)
    throw new SyntaxError(
      `The route "${text}" has the parameter "${next.name}" directly after "${one.name}", so that nothing separates their values. Write text between them, or a constraint such as ":${one.name}(\\d+)".`,
    );
  return { text, parts };
});

type Parameter = Extract<PatternPart, { kind: 'parameter' }>;

/** Returns two parameters that nothing separates if each path of a pattern has such: no path would match it. */
function adjacentIn(parts: readonly PatternPart[]): readonly [Parameter, Parameter] | undefined {
  // Expanding is expensive, and the shortest path of most patterns has none.
  const adjacent = adjacentOf(parts.filter(({ kind }) => kind !== 'optional'));
  return adjacent !== undefined && expandParts(parts).every(adjacentOf) ? adjacent : undefined;
}

function adjacentOf(path: readonly PatternPart[]): readonly [Parameter, Parameter] | undefined {
  const pairs = path.map((part, at) => [part, path[at + 1]] as const);
  return pairs.find((pair): pair is readonly [Parameter, Parameter] => pair.every(isOpen));
}

function isOpen(part: PatternPart | undefined): part is Parameter {
  return part?.kind === 'parameter' && part.constraint === undefined;
}

/** Returns a dot segment, which clients remove from paths (RFC 3986, 5.2.4). */
function dotSegmentOf(parts: readonly PatternPart[]): string | undefined {
  // Expanding is expensive, and most routes contain no dots.
  if (!parts.some(mayHaveDotSegment)) return undefined;
  const paths = expandParts(parts).map(withoutNames);
  return paths.flatMap((path) => path.split('/')).find((segment) => segment === '.' || segment === '..');
}

function mayHaveDotSegment(part: PatternPart): boolean {
  return part.kind === 'literal'
    ? part.text.includes('.')
    : part.kind === 'optional' && part.parts.some(mayHaveDotSegment);
}

const PARAMETER = /:([A-Za-z_][A-Za-z0-9_]*)(?:\(([^()]*)\))?/y;
const LITERAL = /[^[\]:]+/y;

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

function parseParts(text: string, from: number, nested: boolean): { parts: PatternPart[]; at: number } {
  const parts: PatternPart[] = [];
  let at = from;
  while (at < text.length && text[at] !== ']') {
    if (text[at] === '[') {
      const inner = parseParts(text, at + 1, true);
      const required: string[] = [];
      for (const part of inner.parts) if (part.kind === 'parameter') required.push(part.name);
      parts.push({ kind: 'optional', parts: inner.parts, required, names: parametersOf(inner.parts) });
      at = inner.at + 1;
    } else if (text[at] === ':') {
      const found = matchAt(PARAMETER, text, at);
      if (found?.[1] === undefined)
        throw new SyntaxError(`The route "${text}" has a ":" without a parameter name.`);
      parts.push({ kind: 'parameter', name: found[1], constraint: checkConstraint(found[2], text) });
      at += found[0].length;
    } else {
      const [literal] = matchAt(LITERAL, text, at) ?? [''];
      const [reserved] = /[?#*(){}]/.exec(literal) ?? [];
      if (reserved !== undefined)
        throw new SyntaxError(
          `The route "${text}" has the reserved character "${reserved}".${'{}?'.includes(reserved) ? ADVICE : ''}`,
        );
      parts.push({ kind: 'literal', text: literal, encoded: encodeURI(literal) });
      at += literal.length;
    }
  }
  if (nested && at >= text.length) throw new SyntaxError(`The route "${text}" has a "[" without its "]".`);
  return { parts, at };
}

const ADVICE = ' Write parameters as :id, and optional parts in brackets: /products[/:id].';

function checkConstraint(constraint: string | undefined, text: string): string | undefined {
  try {
    if (constraint !== undefined) new RegExp(constraint);
    return constraint;
  } catch {
    throw new SyntaxError(
      `The route "${text}" has the parameter constraint "${constraint ?? ''}", which is not a regular expression.`,
    );
  }
}

/**
 * Returns the paths of a pattern, with and without its optional parts; each parameter is a colon.
 *
 * @example
 * expandPaths('/books[/:isbn(\\d+)]'); // ['/books', '/books/:']
 */
export function expandPaths(pattern: string): readonly string[] {
  return expand(parsePattern(pattern)).map(withoutNames);
}

function withoutNames(path: readonly PatternPart[]): string {
  return path.map((part) => (part.kind === 'literal' ? part.text : ':')).join('');
}

/** Returns every combination of optional parts, as patterns without optional parts, shortest first. */
export function expand(pattern: RoutePattern): readonly (readonly PatternPart[])[] {
  return expandParts(pattern.parts);
}

function expandParts(parts: readonly PatternPart[]): PatternPart[][] {
  let paths: PatternPart[][] = [[]];
  for (const part of parts) {
    if (part.kind === 'optional') {
      const inner = expandParts(part.parts);
      paths = paths.flatMap((path) => [path].concat(inner.map((more) => path.concat(more))));
    } else {
      for (const path of paths) path.push(part);
    }
  }
  return paths;
}

/** Returns the names of all parameters, in order. */
export function parametersOf(parts: readonly PatternPart[]): readonly string[] {
  const names: string[] = [];
  for (const part of parts) {
    if (part.kind === 'parameter') names.push(part.name);
    else if (part.kind === 'optional') names.push(...part.names);
  }
  return names;
}
