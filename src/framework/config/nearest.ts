/** The known name that a misspelt one was meant to be; undefined when none is near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(name.length / 3) + 1;
  for (const candidate of known) {
    const steps = distance(name.toLowerCase(), candidate.toLowerCase());
    if (steps <= least) {
      least = steps - 1;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein's: insertions, deletions and replacements from one text to the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, char] of Array.from(from).entries()) {
    const next = [line + 1];
    for (const [at, other] of Array.from(to).entries()) {
      const replaced = (row[at] ?? 0) + (char === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
