import { RegExpParser } from '@eslint-community/regexpp';
import { PatternTooComplex, type Ways } from './automaton';
import { lettersOf } from './letters';
import { automatonOf, type PatternAutomaton } from './pattern-automaton';

/** Paths per prefix of a text that are still acceptable: each character takes at most as many steps. */
const MAX_PATHS = 300;

/** Steps after which the analysis gives up. */
const MAX_STEPS = 500_000;

/**
 * Returns whether a regular expression of a JSON Schema is vulnerable to ReDoS: a text of thirty characters
 * (`^(a+)+$`) or of a megabyte (`[a-z]+$`) could take minutes. JavaScript's engine backtracks without a time limit,
 * so one request would block the service.
 *
 * Explores all texts, with the number of paths in which the pattern matches their prefix. If that number is bounded,
 * the time is linear in the length of the text. If it is not, or the pattern is too complex, the pattern counts as
 * slow.
 * @param pattern as in `pattern`, with the flag `u` (JSON Schema 2020-12, core 6.4)
 */
export function isSlowPattern(pattern: string): boolean {
  try {
    const parsed = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
    const paths = automatonOf(parsed);
    return isUnbounded(paths, lettersOf(parsed, paths.automaton.leaves));
  } catch (error) {
    // Nested too deeply for the parser, or of a later version of the language.
    if (error instanceof PatternTooComplex || error instanceof RangeError || error instanceof SyntaxError)
      return true;
    throw error;
  }
}

/** Returns whether some text has more than MAX_PATHS paths. Explores the texts with the most paths first. */
function isUnbounded(
  { automaton: { next }, first, search, complete }: PatternAutomaton,
  letters: readonly (readonly boolean[])[],
): boolean {
  const seen = new Set<string>();
  const open: Ways[][] = [];
  let steps = 0;
  /** Queues positions; returns whether they have too many paths. */
  const visit = (ways: Ways): boolean => {
    const key = [...ways]
      .sort(([one], [other]) => one - other)
      .flat()
      .join();
    const count = total(ways);
    if (seen.has(key) || count === 0) return false;
    seen.add(key);
    (open[count] ??= []).push(ways);
    return count > MAX_PATHS;
  };
  const advance = (from: Iterable<readonly [Ways, number]>): boolean =>
    letters.some((letter) => {
      const ways = new Map<number, number>();
      for (const [targets, count] of from) {
        steps += targets.size;
        for (const [position, more] of targets) {
          if (letter[position] === true) ways.set(position, (ways.get(position) ?? 0) + count * more);
        }
      }
      if (search !== undefined && [...ways.keys()].some((position) => complete.has(position)))
        ways.delete(search);
      return visit(ways);
    });
  if (advance([[first, 1]])) return true;
  for (let highest = open.length - 1; highest >= 0; highest = open.length - 1) {
    const ways = open[highest]?.pop();
    if (ways === undefined) open.length = highest;
    else if (advance([...ways].map(([position, count]) => [next[position] ?? new Map(), count]))) return true;
    if (steps > MAX_STEPS) return true;
  }
  return false;
}

function total(ways: Ways): number {
  let sum = 0;
  for (const count of ways.values()) sum += count;
  return sum;
}
