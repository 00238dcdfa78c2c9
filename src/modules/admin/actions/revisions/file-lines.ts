import type { KeyPath, Steps } from '../../../../framework';
import { CONTEXT, lineDifference, type TextLine } from './line-difference';
import { maskedSteps, type ConfigurationText, type TextRange } from './masked-text';

/** Lines shown at most; beyond them, the difference is cut off. */
const MAX_LINES = 2000;

const GAP: TextLine = { kind: 'gap', text: '' };

/**
 * Computes the line difference of two configuration files with secrets masked, in steps: only the part that differs is
 * masked and compared. Undefined stands for a missing file.
 */
export function* fileLines(
  before: ConfigurationText | undefined,
  after: ConfigurationText | undefined,
  isSecret: (path: KeyPath) => boolean,
): Steps<readonly TextLine[]> {
  const [previous, current] = [before?.text ?? '', after?.text ?? ''];
  if (previous === current) return [];
  const [was, is] = differingRanges(previous, current);
  yield;
  const [old, now] = [
    before === undefined ? '' : yield* maskedSteps(before, isSecret, was),
    after === undefined ? '' : yield* maskedSteps(after, isSecret, is),
  ];
  const lines = lineDifference(old, now);
  if (lines.length === 0) return [];
  const first = was.from > 0 && lines[0]?.kind !== 'gap' ? [GAP] : [];
  const isCut = was.to < previous.length && lines.at(-1)?.kind !== 'gap';
  const all = [...first, ...lines, ...(isCut ? [GAP] : [])];
  return all.length > MAX_LINES ? [...all.slice(0, MAX_LINES), GAP] : all;
}

/** The lines that differ, with some context, as offsets of both texts. */
function differingRanges(previous: string, current: string): readonly [TextRange, TextRange] {
  const shortest = Math.min(previous.length, current.length);
  let head = 0;
  while (head < shortest && previous.charCodeAt(head) === current.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < shortest - head &&
    previous.charCodeAt(previous.length - 1 - tail) === current.charCodeAt(current.length - 1 - tail)
  )
    tail++;
  const from = lineBefore(previous, head);
  return [
    { from, to: lineAfter(previous, previous.length - tail) },
    { from, to: lineAfter(current, current.length - tail) },
  ];
}

/** The start of the line some lines before an offset. */
function lineBefore(text: string, offset: number): number {
  let start = text.lastIndexOf('\n', offset - 1) + 1;
  for (let line = 0; line <= CONTEXT && start > 0; line++) start = text.lastIndexOf('\n', start - 2) + 1;
  return start;
}

/** The end of the line some lines after an offset. */
function lineAfter(text: string, offset: number): number {
  let end = offset;
  for (let line = 0; line <= CONTEXT + 1 && end < text.length; line++) {
    const next = text.indexOf('\n', end);
    end = next < 0 ? text.length : next + 1;
  }
  return end;
}
