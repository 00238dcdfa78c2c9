import type { PatternPart } from './pattern';

/** A segment of a pattern without optional parts: the text between two slashes. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  /** One parameter without a constraint. */
  | { readonly kind: 'parameter' }
  | ({ readonly kind: 'expression' } & SegmentExpression);

/** A segment of literal text and parameters. */
export interface SegmentExpression {
  /** The literal text before the first parameter. */
  readonly prefix: string;
  /** The literal text after the last parameter. */
  readonly suffix: string;
  /** The source of a regular expression of what follows the prefix, with a group for each parameter. */
  readonly source: string;
  readonly parameterCount: number;
  /** The number of characters of literal text after the prefix. */
  readonly literalLength: number;
}

type SegmentPart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'parameter'; readonly constraint: string | undefined };

/** The source of an expression for one parameter without a constraint. */
export const ANY_TEXT = '^([^]*)$';

/** Splits a pattern without optional parts into segments. @param base literal text before it */
export function segmentsOf(base: string, parts: readonly PatternPart[]): readonly Segment[] {
  const segments: Segment[] = [];
  let inSegment: SegmentPart[] = [];
  const addText = (text: string): void => {
    let from = 0;
    for (let slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', from)) {
      appendText(inSegment, text.slice(from, slash));
      segments.push(segmentOf(inSegment));
      inSegment = [];
      from = slash + 1;
    }
    appendText(inSegment, text.slice(from));
  };
  addText(base);
  for (const part of parts) {
    if (part.kind === 'literal') addText(part.text);
    else if (part.kind === 'parameter') inSegment.push(part);
  }
  segments.push(segmentOf(inSegment));
  // Before the first slash, there is nothing.
  return segments.slice(1);
}

/** Text that optional parts have divided is one part. */
function appendText(parts: SegmentPart[], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === 'literal') parts[parts.length - 1] = { kind: 'literal', text: last.text + text };
  else if (text !== '') parts.push({ kind: 'literal', text });
}

function segmentOf(parts: readonly SegmentPart[]): Segment {
  const first = parts.findIndex(({ kind }) => kind === 'parameter');
  if (first < 0) return { kind: 'literal', text: textOf(parts) };
  if (isOpenParameter(parts)) return { kind: 'parameter' };
  const tail = parts.slice(first);
  const last = tail.at(-1);
  return {
    kind: 'expression',
    prefix: textOf(parts.slice(0, first)),
    suffix: last?.kind === 'literal' ? last.text : '',
    source: isOpenParameter(tail) ? ANY_TEXT : sourceOf(tail),
    parameterCount: tail.filter(({ kind }) => kind === 'parameter').length,
    literalLength: textOf(tail).length,
  };
}

/** Whether it is one parameter without a constraint. */
function isOpenParameter([first, ...others]: readonly SegmentPart[]): boolean {
  return others.length === 0 && first?.kind === 'parameter' && first.constraint === undefined;
}

function textOf(parts: readonly SegmentPart[]): string {
  return parts.map((part) => (part.kind === 'literal' ? part.text : '')).join('');
}

/**
 * A parameter without a constraint matches as little as possible. The next one does not contain the text between the two:
 * otherwise, the time for a match would grow with a power of the length.
 */
function sourceOf(parts: readonly SegmentPart[]): string {
  let source = '';
  let separator = '';
  let isAfterOpen = false;
  for (const part of parts) {
    if (part.kind === 'literal') {
      separator = escapeRegExp(part.text);
      source += separator;
    } else {
      if (part.constraint !== undefined) source += `(${withoutAnchors(part.constraint)})`;
      // Also line breaks, which `.` leaves out.
      else source += isAfterOpen ? `(${separator}|(?:(?!${separator})[^])*)` : '([^]*?)';
      isAfterOpen = part.constraint === undefined;
    }
  }
  return `^${source}$`;
}

/** The parameter is matched from its beginning to its end in any case. */
function withoutAnchors(constraint: string): string {
  return constraint.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
