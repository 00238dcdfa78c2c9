import { ANY_TEXT, type Segment, type SegmentExpression } from './segment';

/** The longest value of a parameter: servers accept targets of this length. */
const MAX_LENGTH = 8_192;

/** The names of the parameters of a pattern; patterns with equal names may have one object. */
export interface ParameterNames {
  /** In the order of their values. */
  readonly names: readonly string[];
  /** Names of absent optional parameters that every object inherits, such as `constructor`. */
  readonly absent: readonly string[];
}

/** What matches a path. */
export interface Found<E> {
  readonly entry: E;
  readonly parameters: ParameterNames;
}

interface Node<E> {
  entry: E | undefined;
  /** Of the pattern of the entry: next to it, a match reads one object less. */
  parameters: ParameterNames;
  /** By segment. */
  literals: Map<string, Node<E>> | undefined;
  /** In the order in which they are tried. */
  expressions: ExpressionChild<E>[] | undefined;
  /** Of one parameter without a constraint, which is tried last. */
  parameter: Node<E> | undefined;
}

interface ExpressionChild<E> extends SegmentExpression {
  readonly expression: RegExp;
  /** What may match is not longer: expressions of operators may take long for long texts. */
  readonly maxLength: number;
  readonly node: Node<E>;
}

/**
 * Patterns by segment. Of several that match a path, the one that is more specific at the first difference wins: literal
 * text before text with parameters (the longest text before the first parameter first), and that before a parameter alone.
 *
 * ```
 * (root) ── things ─── (parameter)            /things/:id
 *    └───── v(\d+) ─── things ─── (parameter)  /v:version(\d+)/things/:id
 * ```
 *
 * Nodes have neither code nor objects of their own for their pattern, so that ten thousand routes cost little.
 */
export class PathTree<E> {
  readonly #root = newNode<E>();

  /** Adds an entry, unless there is already one for the same pattern, which is returned. */
  add(segments: readonly Segment[], entry: E, parameters: ParameterNames): E | undefined {
    const node = segments.reduce(childOf, this.#root);
    if (node.entry !== undefined) return node.entry;
    node.entry = entry;
    node.parameters = parameters;
    return undefined;
  }

  /** The entry of the same pattern. */
  get(segments: readonly Segment[]): E | undefined {
    let node: Node<E> | undefined = this.#root;
    for (const segment of segments) node = node && existingChildOf(node, segment);
    return node?.entry;
  }

  /** Whether there is a pattern that begins with these segments. */
  hasBelow(segments: readonly Segment[]): boolean {
    let node: Node<E> | undefined = this.#root;
    for (const segment of segments) node = node && existingChildOf(node, segment);
    return node !== undefined;
  }

  /**
   * Finds the entry of the pattern that matches a path.
   * @param values receives the decoded values of its parameters, in order; none is empty
   * @throws URIError if the path is not correctly percent-encoded
   */
  find(path: string, values: string[]): Found<E> | undefined {
    // Encoded reserved characters and percent signs stay encoded until the path is split.
    const decoded = path.includes('%') ? decodeURI(path.replaceAll('%25', '%2525')) : path;
    // The asterisk of `OPTIONS *` has no segments.
    return decoded.startsWith('/') ? find(this.#root, decoded, 1, values, 0) : undefined;
  }
}

/**
 * @param from where the segment begins
 * @param count the number of parameters before it
 */
function find<E>(
  node: Node<E>,
  path: string,
  from: number,
  values: string[],
  count: number,
): Found<E> | undefined {
  const slash = path.indexOf('/', from);
  const end = slash < 0 ? path.length : slash;
  const segment = path.slice(from, end);
  const literal = node.literals?.get(segment);
  if (literal !== undefined) {
    const found = findAfter(literal, path, end, values, count);
    if (found !== undefined) return found;
  }
  if (node.expressions !== undefined) {
    for (const child of node.expressions) {
      if (!segment.startsWith(child.prefix) || !matchExpression(child, segment, values, count)) continue;
      const found = findAfter(child.node, path, end, values, count + child.parameterCount);
      if (found !== undefined) return found;
    }
  }
  if (node.parameter === undefined) return undefined;
  const value = decodeSegment(segment);
  if (!isValue(value)) return undefined;
  values[count] = value;
  return findAfter(node.parameter, path, end, values, count + 1);
}

/** @param end where the segment of the node ends */
function findAfter<E>(
  node: Node<E>,
  path: string,
  end: number,
  values: string[],
  count: number,
): Found<E> | undefined {
  if (end < path.length) return find(node, path, end + 1, values, count);
  return hasEntry(node) ? node : undefined;
}

function hasEntry<E>(node: Node<E>): node is Node<E> & Found<E> {
  return node.entry !== undefined;
}

/** Adds the values of parameters, if a segment matches. */
function matchExpression<E>(
  { prefix, expression, maxLength }: ExpressionChild<E>,
  segment: string,
  values: string[],
  count: number,
): boolean {
  const text = decodeSegment(segment.slice(prefix.length));
  const found = text.length > maxLength ? null : expression.exec(text);
  if (found === null) return false;
  for (let at = 1; at < found.length; at++) {
    const value = found[at] ?? '';
    if (!isValue(value)) return false;
    values[count + at - 1] = value;
  }
  return true;
}

function isValue(text: string): boolean {
  return text !== '' && text.length <= MAX_LENGTH;
}

function decodeSegment(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}

const NO_PARAMETERS: ParameterNames = { names: [], absent: [] };

function newNode<E>(): Node<E> {
  return {
    entry: undefined,
    parameters: NO_PARAMETERS,
    literals: undefined,
    expressions: undefined,
    parameter: undefined,
  };
}

function existingChildOf<E>(node: Node<E>, segment: Segment): Node<E> | undefined {
  if (segment.kind === 'literal') return node.literals?.get(literalKey(segment.text));
  if (segment.kind === 'parameter') return node.parameter;
  return node.expressions?.find(
    ({ prefix, source }) => prefix === literalKey(segment.prefix) && source === segment.source,
  )?.node;
}

function childOf<E>(node: Node<E>, segment: Segment): Node<E> {
  const existing = existingChildOf(node, segment);
  if (existing !== undefined) return existing;
  const child = newNode<E>();
  if (segment.kind === 'literal') (node.literals ??= new Map()).set(literalKey(segment.text), child);
  else if (segment.kind === 'parameter') node.parameter = child;
  else {
    (node.expressions ??= []).push({
      ...segment,
      prefix: literalKey(segment.prefix),
      expression: new RegExp(segment.source),
      maxLength: segment.parameterCount * MAX_LENGTH + segment.literalLength,
      node: child,
    });
    node.expressions.sort(bySpecificity);
  }
  return child;
}

/** A percent sign in a pattern is literal, and stays encoded in the path. */
function literalKey(text: string): string {
  return text.replaceAll('%', '%25');
}

/**
 * Longer text before the first parameter first, then longer text after the last one: of two that match, the longer ends with the
 * shorter. A parameter alone comes last.
 */
function bySpecificity<E>(one: ExpressionChild<E>, other: ExpressionChild<E>): number {
  return (
    other.prefix.length - one.prefix.length ||
    other.suffix.length - one.suffix.length ||
    Number(one.source === ANY_TEXT) - Number(other.source === ANY_TEXT)
  );
}
