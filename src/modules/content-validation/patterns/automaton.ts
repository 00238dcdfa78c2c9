/** What may be matched once: how a letter is written in the pattern, `undefined` for any letter. */
export type Leaf = string | undefined;

/** Targets with the number of ways that lead there; 2 stands for more than one. */
export type Ways = ReadonlyMap<number, number>;

/** A part of a pattern, as the places of letters in it where a match of it may begin and end (Glushkov). */
export interface Fragment {
  /** Ways to match nothing. */
  readonly skip: number;
  readonly first: Ways;
  readonly last: Ways;
}

const NONE: Ways = new Map();

/** What matches nothing, such as an assertion. */
export const EMPTY: Fragment = { skip: 1, first: NONE, last: NONE };

/** What no letter comes behind. */
export const NEVER: Fragment = { skip: 0, first: NONE, last: NONE };

/** Places up to which repetitions are written out: `a{1,5000}` would be as many. */
const MOST_WRITTEN = 1_000;

/** Places of letters in one pattern. */
const MOST_PLACES = 5_000;

/** Ways from place to place; alternatives within a loop have one for each pair of them. */
const MOST_WAYS = 200_000;

/** A pattern that is too large for anybody to tell how long it takes. */
export class PatternTooComplex extends Error {
  override readonly name = 'TooLarge';
}

/** The places of letters of a pattern, and in how many ways a backtracking engine comes from each to each. */
export class Automaton {
  readonly leaves: Leaf[] = [];
  readonly next: Map<number, number>[] = [];
  #ways = 0;

  addLetter(leaf: Leaf): Fragment {
    const place = this.leaves.push(leaf) - 1;
    if (place > MOST_PLACES) throw new PatternTooComplex();
    this.next.push(new Map());
    const only = new Map([[place, 1]]);
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

  /** @param make makes the part anew, with places of its own */
  repeat(make: () => Fragment, min: number, max: number): Fragment {
    const before = this.leaves.length;
    const part = make();
    const size = this.leaves.length - before;
    if (max === 0) return EMPTY;
    // Without a letter, it is the same however often it is repeated.
    if (size === 0) return atLeast(part, min);
    const times = max === Infinity ? Math.max(min, 1) : max;
    if (times === 1) return max === 1 ? atLeast(part, min) : this.#loop(part, min);
    // Too many to write out: more may be matched then, and never in fewer ways.
    if (this.leaves.length + size * times > MOST_WRITTEN) return this.#loop(part, min);
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
    // One that matches nothing counts towards the least number, and to nothing beyond (ECMA-262, 22.2.2.3.1).
    const isVague = part.skip > 0;
    this.#link(part.last, part.first, isVague && min > 1 ? 2 : 1);
    const first = isVague && min > 0 ? sum(part.first, part.first, 1) : part.first;
    return { ...atLeast(part, min), first };
  }

  #link(from: Ways, to: Ways, times: number): void {
    for (const [place, count] of from) {
      for (const [target, more] of to) {
        const ways = this.next[place];
        ways?.set(target, capped((ways.get(target) ?? 0) + count * more * times));
        this.#ways += 1;
        if (this.#ways > MOST_WAYS) throw new PatternTooComplex();
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

/** @param times how often `more` counts; 0 for not at all */
function sum(ways: Ways, more: Ways, times: number): Ways {
  if (times === 0 || more.size === 0) return ways;
  const all = new Map(ways);
  add(all, more, times);
  return all;
}

function add(ways: Map<number, number>, more: Ways, times: number): void {
  for (const [place, count] of more) ways.set(place, capped((ways.get(place) ?? 0) + count * times));
}
