/** A line of a line difference; `gap` stands for omitted unchanged lines. */
export interface TextLine {
  readonly kind: 'same' | 'before' | 'after' | 'gap';
  readonly text: string;
}

/** Unchanged lines shown around a difference. */
export const CONTEXT = 3;

/** Above this number of comparisons, everything between the first and last difference counts as replaced. */
const MAX_ENTRIES = 4_000_000;

/** Computes the line difference of two texts with some context. */
export function lineDifference(before: string, after: string): readonly TextLine[] {
  if (before === after) return [];
  const [previous, current] = [linesOf(before), linesOf(after)];
  const shortest = Math.min(previous.length, current.length);
  let head = 0;
  while (head < shortest && previous[head] === current[head]) head++;
  let tail = 0;
  while (
    tail < shortest - head &&
    previous[previous.length - 1 - tail] === current[current.length - 1 - tail]
  )
    tail++;
  const same = (text: string): TextLine => ({ kind: 'same', text });
  return withGaps([
    ...previous.slice(0, head).map(same),
    ...between(previous.slice(head, previous.length - tail), current.slice(head, current.length - tail)),
    ...previous.slice(previous.length - tail).map(same),
  ]);
}

/** A trailing line break does not start another line. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Compares by longest common subsequence. */
function between(previous: readonly string[], current: readonly string[]): readonly TextLine[] {
  if (previous.length * current.length > MAX_ENTRIES)
    return [...marked('before', previous), ...marked('after', current)];
  // common[i][j]: the length of the longest common subsequence from i and j on.
  const common = Array.from({ length: previous.length + 1 }, () => new Uint32Array(current.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = previous.length - 1; i >= 0; i--) {
    const row = common[i];
    for (let j = current.length - 1; row !== undefined && j >= 0; j--) {
      row[j] = previous[i] === current[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: TextLine[] = [];
  let [i, j] = [0, 0];
  while (i < previous.length && j < current.length) {
    const [mine, theirs] = [previous[i] ?? '', current[j] ?? ''];
    if (mine === theirs) {
      lines.push({ kind: 'same', text: mine });
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      lines.push({ kind: 'before', text: mine });
      i++;
    } else {
      lines.push({ kind: 'after', text: theirs });
      j++;
    }
  }
  return [...lines, ...marked('before', previous.slice(i)), ...marked('after', current.slice(j))];
}

function marked(kind: 'before' | 'after', lines: readonly string[]): readonly TextLine[] {
  return lines.map((text) => ({ kind, text }));
}

/** Omits unchanged lines far from any difference. */
function withGaps(lines: readonly TextLine[]): readonly TextLine[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, at): readonly TextLine[] => {
    if (isNear[at] === true) return [line];
    return at === 0 || isNear[at - 1] === true ? [{ kind: 'gap', text: '' }] : [];
  });
}
