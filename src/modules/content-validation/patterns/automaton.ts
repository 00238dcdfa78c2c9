/** What one position matches: the source of a character or class; `undefined` for any character. */
export type Leaf = string | undefined;

/** Target positions with the number of paths that lead there; 2 means more than one. */
export type Ways = ReadonlyMap<number, number>;

/** A part of a pattern, as the positions where a match of it may begin and end (Glushkov construction). */
export interface Fragment {
  /** The number of ways to match the empty string. */
  readonly skip: number;
  readonly first: Ways;
  readonly last: Ways;
}

const NONE: Ways = new Map();

/** Matches only the empty string, like most assertions. */
export const EMPTY: Fragment = { skip: 1, first: NONE, last: NONE };

/** Nothing can follow it: the end of the text. */
export const NEVER: Fragment = { skip: 0, first: NONE, last: NONE };

/** Positions up to which bounded repetitions are unrolled: `a{1,5000}` would need as many. */
const MAX_UNROLLED = 1_000;

const MAX_POSITIONS = 5_000;

/** Transitions between positions. The alternatives within a loop have one for each pair. */
const MAX_TRANSITIONS = 200_000;

/** The pattern is too large to be analyzed. */
export class PatternTooComplex extends Error {
  override readonly name = 'PatternTooComplex';
}

/** The positions of a pattern, and the number of paths of a backtracking engine between each two of them. */
export class Automaton {
  readonly leaves: Leaf[] = [];
  readonly next: Map<number, number>[] = [];
  #transitions = 0;

  addLetter(leaf: Leaf): Fragment {
    const position = this.leaves.push(leaf) - 1;
    if (position > MAX_POSITIONS) throw new PatternTooComplex();
    this.next.push(new Map());
    const only = new Map([[position, 1]]);
    return { skip: 0, first: only, last: only };
  }

  sequence(parts: readonly Fragment[]): Fragment {
    return parts.reduce((before, after) => {
      this.#link(before.last, after.first, 1);
      return {
        skip: capped(before.skip * after.skip),
        first: sum(before.first, after.first, before.skip),
        last: sum(after.last, before.last, after.skip),
      };
    }, EMPTY);
  }

  choice(parts: readonly Fragment[]): Fragment {
    const first = new Map<number, number>();
    const last = new Map<number, number>();
    let skip = 0;
    for (const part of parts) {
      skip = capped(skip + part.skip);
      add(first, part.first, 1);
      add(last, part.last, 1);
    }
    return { skip, first, last };
  }

  /** @param make creates a copy of the part, with its own positions */
  repeat(make: () => Fragment, min: number, max: number): Fragment {
    const before = this.leaves.length;
    const part = make();
    const size = this.leaves.length - before;
    if (max === 0) return EMPTY;
    // A part without positions is the same, however often it is repeated.
    if (size === 0) return atLeast(part, min);
    const times = max === Infinity ? Math.max(min, 1) : max;
    if (times === 1) return max === 1 ? atLeast(part, min) : this.#loop(part, min);
    // Too many to unroll. A loop matches more, and never in fewer ways.
    if (this.leaves.length + size * times > MAX_UNROLLED) return this.#loop(part, min);
    const copies = [part, ...Array.from({ length: times - 1 }, make)];
    if (max === Infinity) {
      const rest = copies.slice(0, -1);
      return this.sequence([...rest, this.#loop(copies[times - 1] ?? EMPTY, 1)]);
    }
    const optional = copies
      .slice(min)
      .reduceRight((after, copy) => ({ ...this.sequence([copy, after]), skip: 1 }), EMPTY);
    return this.sequence([...copies.slice(0, min), optional]);
  }

  #loop(part: Fragment, min: number): Fragment {
    // An empty match counts towards the minimum, but ends the loop beyond it (ECMA-262, 22.2.2.3.1).
    const isNullable = part.skip > 0;
    this.#link(part.last, part.first, isNullable && min > 1 ? 2 : 1);
    const first = isNullable && min > 0 ? sum(part.first, part.first, 1) : part.first;
    return { ...atLeast(part, min), first };
  }

  #link(from: Ways, to: Ways, times: number): void {
    for (const [position, count] of from) {
      for (const [target, more] of to) {
        const ways = this.next[position];
        ways?.set(target, capped((ways.get(target) ?? 0) + count * more * times));
        this.#transitions += 1;
        if (this.#transitions > MAX_TRANSITIONS) throw new PatternTooComplex();
      }
    }
  }
}

function atLeast(part: Fragment, min: number): Fragment {
  return min === 0 ? { ...part, skip: 1 } : part;
}

function capped(count: number): number {
  return Math.min(count, 2);
}

/** @param times multiplies `more`; 0 ignores it */
function sum(ways: Ways, more: Ways, times: number): Ways {
  if (times === 0 || more.size === 0) return ways;
  const all = new Map(ways);
  add(all, more, times);
  return all;
}

function add(ways: Map<number, number>, more: Ways, times: number): void {
  for (const [position, count] of more) ways.set(position, capped((ways.get(position) ?? 0) + count * times));
}
