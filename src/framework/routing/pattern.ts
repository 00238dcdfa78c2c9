/**
 * A route as authors write it: `/atlas/countries[/:country_code]`. `:name` is a parameter, brackets hold an
 * optional part (they nest), and a parameter may be narrowed: `:version(\d+)`.
 */
export interface RoutePattern {
  readonly text: string;
  readonly parts: readonly PatternPart[];
}

export type PatternPart =
  | { readonly kind: 'literal'; readonly text: string; readonly encoded: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly constraint: string | undefined }
  | {
      readonly kind: 'optional';
      readonly parts: readonly PatternPart[];
      /** Its own parameters, and all with those of the optional parts in it. */
      readonly needed: readonly string[];
      readonly names: readonly string[];
    };

/**
 * Reads a pattern.
 * @throws SyntaxError for one that cannot be: unbalanced brackets, a parameter without name or twice, a
 * constraint that is no regular expression, signs that no path has or that the router would take for more than text
 */
export function parsePattern(text: string): RoutePattern {
  if (!text.startsWith('/') && !text.startsWith('[/'))
    throw new SyntaxError(`The route "${text}" must begin with "/".`);
  const { parts, at } = parseParts(text, 0, false);
  if (at < text.length) throw new SyntaxError(`The route "${text}" has a "]" without its "[".`);
  const names = parametersOf(parts);
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) throw new SyntaxError(`The route "${text}" has the parameter "${twice}" twice.`);
  const dots = dotSegmentOf(parts);
  if (dots !== undefined) {
    throw new SyntaxError(
      `The route "${text}" has the segment "${dots}", which no client sends: it is taken for a step in the path.`,
    );
  }
  return { text, parts };
}

/** A segment that is taken out of an address before it is asked for (RFC 3986, 5.2.4). */
function dotSegmentOf(parts: readonly PatternPart[]): string | undefined {
  // Most routes have none in any of the paths that they stand for.
  if (!parts.some(mayHaveDotSegment)) return undefined;
  const paths = expandParts(parts).map((path) =>
    path.map((part) => (part.kind === 'literal' ? part.text : ':')).join(''),
  );
  return paths.flatMap((path) => path.split('/')).find((segment) => segment === '.' || segment === '..');
}

function mayHaveDotSegment(part: PatternPart): boolean {
  return part.kind === 'literal'
    ? part.text.includes('.')
    : part.kind === 'optional' && part.parts.some(mayHaveDotSegment);
}

function parseParts(text: string, from: number, nested: boolean): { parts: PatternPart[]; at: number } {
  const parts: PatternPart[] = [];
  let at = from;
  while (at < text.length && text[at] !== ']') {
    if (text[at] === '[') {
      const inner = parseParts(text, at + 1, true);
      const needed = inner.parts.flatMap((part) => (part.kind === 'parameter' ? [part.name] : []));
      parts.push({ kind: 'optional', parts: inner.parts, needed, names: parametersOf(inner.parts) });
      at = inner.at + 1;
    } else if (text[at] === ':') {
      const found = /^:([A-Za-z_][A-Za-z0-9_]*)(?:\(([^()]*)\))?/.exec(text.slice(at));
      if (found?.[1] === undefined)
        throw new SyntaxError(`The route "${text}" has a ":" without a name behind it.`);
      parts.push({ kind: 'parameter', name: found[1], constraint: checkConstraint(found[2], text) });
      at += found[0].length;
    } else {
      const [literal] = /^[^[\]:]+/.exec(text.slice(at)) ?? [''];
      const [sign] = /[?#*()]/.exec(literal) ?? [];
      if (sign !== undefined)
        throw new SyntaxError(`The route "${text}" has a "${sign}", which cannot stand for itself.`);
      parts.push({ kind: 'literal', text: literal, encoded: encodeURI(literal) });
      at += literal.length;
    }
  }
  if (nested && at >= text.length) throw new SyntaxError(`The route "${text}" has a "[" without its "]".`);
  return { parts, at };
}

function checkConstraint(constraint: string | undefined, text: string): string | undefined {
  try {
    if (constraint !== undefined) new RegExp(constraint);
    return constraint;
  } catch {
    throw new SyntaxError(
      `The route "${text}" narrows a parameter by "${constraint ?? ''}", which is no regular expression.`,
    );
  }
}

/** The patterns without brackets that a pattern stands for, the shortest first. */
export function expand(pattern: RoutePattern): readonly (readonly PatternPart[])[] {
  return expandParts(pattern.parts);
}

function expandParts(parts: readonly PatternPart[]): PatternPart[][] {
  const [first, ...rest] = parts;
  if (first === undefined) return [[]];
  const tails = expandParts(rest);
  if (first.kind !== 'optional') return tails.map((tail) => [first, ...tail]);
  const inner = expandParts(first.parts).flatMap((head) => tails.map((tail) => [...head, ...tail]));
  return [...tails, ...inner];
}

/** Every parameter of a pattern, in its order. */
export function parametersOf(parts: readonly PatternPart[]): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'parameter') return [part.name];
    return part.kind === 'optional' ? part.names : [];
  });
}

/**
 * The path that a pattern makes of parameters, percent-encoded; an optional part stands where its own
 * parameters are given, whatever optional parts it holds in its turn.
 * @throws TypeError when a parameter that is not optional is missing
 */
export function assemble(
  pattern: RoutePattern,
  parameters: Readonly<Record<string, string | number>>,
): string {
  return assembleParts(pattern.parts, parameters, pattern.text, encoded);
}

/** Stands for what is filled in later: what is encoded never has it. */
const GAP = '\0';

/**
 * Makes many paths that differ in one parameter.
 * @returns the path with a value in the place of the parameter
 * @throws TypeError as {@link assemble} does
 */
export function assembler(
  pattern: RoutePattern,
  open: string,
  parameters: Readonly<Record<string, string | number>>,
): (value: string) => string {
  const path = assembleParts(pattern.parts, { ...parameters, [open]: '' }, pattern.text, (value, name) =>
    name === open ? GAP : encoded(value),
  );
  const [before = '', after] = path.split(GAP);
  return after === undefined ? () => before : (value) => before + encoded(value) + after;
}

/** Signs that need no encoding, whatever part of a path they are in (RFC 3986, 2.3). */
const UNRESERVED = /^[\w.~-]*$/;

/** Percent-encoded; looking costs less than encoding, and there is mostly nothing to encode. */
function encoded(value: string | number): string {
  return typeof value === 'string' && UNRESERVED.test(value) ? value : encodeURIComponent(value);
}

function assembleParts(
  parts: readonly PatternPart[],
  parameters: Readonly<Record<string, string | number>>,
  text: string,
  encode: (value: string | number, name: string) => string,
): string {
  let path = '';
  for (const part of parts) {
    if (part.kind === 'literal') {
      path += part.encoded;
    } else if (part.kind === 'optional') {
      if (isIncluded(part, parameters)) path += assembleParts(part.parts, parameters, text, encode);
    } else {
      const value = parameters[part.name];
      if (value === undefined) throw new TypeError(`The route "${text}" needs the parameter "${part.name}".`);
      path += encode(value, part.name);
    }
  }
  return path;
}

/** Whether all that an optional part needs is given, and any of it at all: one of plain text always stands. */
function isIncluded(
  { needed, names }: Extract<PatternPart, { kind: 'optional' }>,
  parameters: Readonly<Record<string, string | number>>,
): boolean {
  const isGiven = (name: string): boolean => parameters[name] !== undefined;
  return needed.every(isGiven) && (names.length === 0 || names.some(isGiven));
}
