/** Returns the known name closest to a misspelled one, if any is close enough. */
export function closestMatch(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let maxDistance = Math.floor(name.length / 3) + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= maxDistance) {
      maxDistance = distance - 1;
      best = candidate;
    }
  }
  return best;
}

/** Returns the Levenshtein distance: the number of insertions, deletions and substitutions between two strings. */
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
