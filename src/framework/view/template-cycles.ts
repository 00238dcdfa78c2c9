/** A template that another one always renders: wherever a page has the one, it has the other. */
export interface Reference {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the way from a template back to itself over templates that are always rendered; undefined if there is none. The
 * first and the last reference are the ones of the template and to it.
 *
 * @param referencesOf the templates that a template always renders
 */
export function findCycle(
  start: string,
  referencesOf: (name: string) => readonly Reference[],
): readonly Reference[] | undefined {
  const seen = new Set<string>();
  // The shortest way is the clearest message: one step of all ways after the other.
  let ways: readonly (readonly Reference[])[] = referencesOf(start).map((one) => [one]);
  while (ways.length > 0) {
    const back = ways.find((way) => way.at(-1)?.name === start);
    if (back !== undefined) return back;
    ways = ways.flatMap((way) => {
      const name = way.at(-1)?.name ?? '';
      if (seen.has(name)) return [];
      seen.add(name);
      return referencesOf(name).map((one) => [...way, one]);
    });
  }
  return undefined;
}
