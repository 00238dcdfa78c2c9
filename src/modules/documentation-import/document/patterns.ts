import { compilePattern, isObject, isPattern } from '../../../framework';
import { isSlowPattern } from '../../content-validation';
import { childPointer } from './json';
import type { JsonSchema } from '../../documentation';
import type { ImportWarnings } from '../import-warnings';

/** Distinct patterns that are analyzed: one analysis can take a fraction of a second. */
const MAX_ENTRIES = 2_000;

/** Removes patterns that are invalid or vulnerable to ReDoS. */
export class PatternFilter {
  readonly #warnings: ImportWarnings;
  /** Results by pattern. */
  readonly #slow = new Map<string, boolean>();

  constructor(warnings: ImportWarnings) {
    this.#warnings = warnings;
  }

  accepts(pattern: unknown, pointer: string): boolean {
    if (!isPattern(pattern)) {
      this.#warnings.add('pattern is not a valid regular expression', pointer);
      return false;
    }
    const isSlow = this.#slow.get(pattern) ?? (this.#slow.size >= MAX_ENTRIES || isSlowPattern(pattern));
    this.#slow.set(pattern, isSlow);
    if (isSlow) this.#warnings.add('pattern vulnerable to ReDoS', pointer);
    return !isSlow;
  }

  /**
   * Filters `patternProperties`. If one is removed, additional members become valid, because it may have matched
   * them.
   */
  properties(value: unknown, pointer: string): JsonSchema {
    if (!isObject(value)) return {};
    const all = Object.entries(value).map(([pattern, schema]) => {
      const own = unicodePattern(pattern);
      return [Object.hasOwn(value, own) ? pattern : own, schema] as const;
    });
    const accepted = all.filter(([pattern]) => this.accepts(pattern, childPointer(pointer, pattern)));
    const open = { additionalProperties: undefined, unevaluatedProperties: undefined };
    return { patternProperties: Object.fromEntries(accepted), ...(accepted.length < all.length ? open : {}) };
  }
}

/** What an escape is needed for, and letters and digits, whose escapes have meanings. */
const ESCAPED = /[\p{L}\p{N}^$\\.*+?()[\]{}|/]/u;

/**
 * Removes escapes that change nothing, such as `\@`: JSON Schema reads patterns with the flag "u", which refuses them.
 * @example
 * unicodePattern('^a\\-[b\\-]$') // '^a-[b\\-]$'
 */
export function unicodePattern(pattern: string): string {
  if (compilePattern(pattern) !== undefined) return pattern;
  let isInClass = false;
  return pattern.replace(/\{\d+\\,|\\[^]|[[\]]/g, (token) => {
    // Without the escape, it could be a quantifier.
    if (token.startsWith('{')) return token;
    if (!token.startsWith('\\')) {
      isInClass = token === '[';
      return token;
    }
    const character = token.charAt(1);
    return ESCAPED.test(character) || (character === '-' && isInClass) ? token : character;
  });
}
