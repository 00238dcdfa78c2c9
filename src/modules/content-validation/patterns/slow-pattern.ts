import { RegExpParser } from '@eslint-community/regexpp';
import { PatternTooComplex, type Ways } from './automaton';
import { lettersOf } from './letters';
import { automatonOf } from './pattern-automaton';

/** Ways to match one beginning of a text that are still few: each letter takes at most as many steps. */
const MOST_WAYS = 300;

/** Steps after which nobody can say more of a pattern. */
const MOST_STEPS = 500_000;

/**
 * Whether a text made for it may keep the regular expression of a JSON Schema busy for longer than its length allows
 * for: a text of thirty letters for minutes (`^(a+)+$`), or one of a megabyte (`[a-z]+$`). JavaScript's engine tries
 * one way after another to match a text and has no limit of time, so that one request would stop the service.
 *
 * It is decided by following every text there can be, with the number of ways in which the pattern matches its
 * beginning. Where that number stays small for all of them, the time grows as the text does; where it does not, or
 * where a pattern is too large to tell, the pattern counts as slow.
 * @param pattern as in `pattern`, under the flag `u` (JSON Schema 2020-12, core 6.4)
 */
export function isSlowPattern(pattern: string): boolean {
  try {
    const parsed = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
    const { automaton, first } = automatonOf(parsed);
    return growsWithout(first, automaton.next, lettersOf(parsed, automaton.leaves));
  } catch (error) {
    // Nested too deep for any parser, or written in a later version of the language.
    if (error instanceof PatternTooComplex || error instanceof RangeError || error instanceof SyntaxError)
      return true;
    throw error;
  }
}

/** Whether more ways than a few lead through some text, looking first where they are the most. */
function growsWithout(first: Ways, next: readonly Ways[], letters: readonly (readonly boolean[])[]): boolean {
  const seen = new Set<string>();
  const open: Ways[][] = [];
  let steps = 0;
  /** @returns whether these are too many */
  const meet = (ways: Ways): boolean => {
    const key = [...ways]
      .sort(([one], [other]) => one - other)
      .flat()
      .join();
    const count = total(ways);
    if (seen.has(key) || count === 0) return false;
    seen.add(key);
    (open[count] ??= []).push(ways);
    return count > MOST_WAYS;
  };
  const follow = (from: Iterable<readonly [Ways, number]>): boolean =>
    letters.some((letter) => {
      const ways = new Map<number, number>();
      for (const [targets, count] of from) {
        steps += targets.size;
        for (const [place, more] of targets) {
          if (letter[place] === true) ways.set(place, (ways.get(place) ?? 0) + count * more);
        }
      }
      return meet(ways);
    });
  if (follow([[first, 1]])) return true;
  for (let most = open.length - 1; most >= 0; most = open.length - 1) {
    const ways = open[most]?.pop();
    if (ways === undefined) open.length = most;
    else if (follow([...ways].map(([place, count]) => [next[place] ?? new Map(), count]))) return true;
    if (steps > MOST_STEPS) return true;
  }
  return false;
}

function total(ways: Ways): number {
  let sum = 0;
  for (const count of ways.values()) sum += count;
  return sum;
}
