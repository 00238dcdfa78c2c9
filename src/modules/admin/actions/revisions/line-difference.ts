/** A line of a line difference; `gap` stands for omitted unchanged lines. */
export interface TextLine {
  readonly kind: 'same' | 'before' | 'after' | 'gap';
  readonly text: string;
}

/** Unchanged lines shown around a difference. */
const CONTEXT = 3;

/** Above this number of comparisons, everything between the first and last difference counts as replaced. */
const MAX_ENTRIES = 4_000_000;

/** Computes the line difference of two texts with some context. */
export function lineDifference(before: string, after: string): readonly TextLine[] {
  if (before === after) return [];
  const [old, young] = [linesOf(before), linesOf(after)];
  const shortest = Math.min(old.length, young.length);
  let head = 0;
  while (head < shortest && old[head] === young[head]) head++;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === young[young.length - 1 - tail]) tail++;
  const same = (text: string): TextLine => ({ kind: 'same', text });
  return withGaps([
    ...old.slice(0, head).map(same),
    ...between(old.slice(head, old.length - tail), young.slice(head, young.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ]);
}

/** A trailing line break does not start another line. */
function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Compares by longest common subsequence. */
function between(old: readonly string[], young: readonly string[]): readonly TextLine[] {
  if (old.length * young.length > MAX_ENTRIES) return [...marked('before', old), ...marked('after', young)];
  // common[i][j]: the length of the longest common subsequence from i and j on.
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(young.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    const row = common[i];
    for (let j = young.length - 1; row !== undefined && j >= 0; j--) {
      row[j] = old[i] === young[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: TextLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < young.length) {
    const [mine, theirs] = [old[i] ?? '', young[j] ?? ''];
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
  return [...lines, ...marked('before', old.slice(i)), ...marked('after', young.slice(j))];
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
