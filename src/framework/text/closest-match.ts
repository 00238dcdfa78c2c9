/** The known name closest to a misspelled one; undefined when none is close enough. */
export function closestMatch(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(name.length / 3) + 1;
  for (const candidate of known) {
    const steps = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (steps <= least) {
      least = steps - 1;
      best = candidate;
    }
  }
  return best;
}

/** The Levenshtein distance: insertions, deletions and replacements from one text to the other. */
export function editDistance(from: string, to: string): number {
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
