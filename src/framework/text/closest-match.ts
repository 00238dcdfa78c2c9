/**
 * Returns the known name closest to a misspelled one, if any is close enough. Names of requests can be long, and the known
 * ones many: names that cannot be close are not compared to the end.
 */
export function closestMatch(name: string, known: Iterable<string>): string | undefined {
  const letters = Array.from(name.toLowerCase());
  let best: string | undefined;
  let maxDistance = Math.floor(letters.length / 3) + 1;
  for (const candidate of known) {
    const distance = distanceWithin(maxDistance, letters, Array.from(candidate.toLowerCase()));
    if (distance <= maxDistance) {
      maxDistance = distance - 1;
      best = candidate;
    }
  }
  return best;
}

/** Returns a question with the closest match after a space, for the end of a message; empty if there is none. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const match = closestMatch(name, known);
  return match === undefined ? '' : ` Did you mean "${match}"?`;
}

/** Returns the Levenshtein distance: the number of insertions, deletions and substitutions between two strings. */
export function editDistance(from: string, to: string): number {
  return distanceWithin(Infinity, Array.from(from), Array.from(to));
}

/** Returns the distance, or infinity if it exceeds the maximum. */
function distanceWithin(maximum: number, from: readonly string[], to: readonly string[]): number {
  if (Math.abs(from.length - to.length) > maximum) return Infinity;
  let row = [0];
  for (let at = 1; at <= to.length; at++) row.push(at);
  let line = 0;
  for (const char of from) {
    let last = ++line;
    let least = last;
    const next = [last];
    for (let at = 0; at < to.length; at++) {
      const replaced = (row[at] ?? 0) + (char === to[at] ? 0 : 1);
      last = Math.min(replaced, (row[at + 1] ?? 0) + 1, last + 1);
      next.push(last);
      if (last < least) least = last;
    }
    // The least distance of a row never decreases.
    if (least > maximum) return Infinity;
    row = next;
  }
  return row.at(-1) ?? 0;
}
