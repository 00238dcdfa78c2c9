import { isSlowPattern } from '../content-validation';
import { below, isObject } from './json';
import type { JsonSchema } from '../documentation';
import type { Losses } from './losses';

/** Different patterns of one document: to look at one may take a part of a second. */
const MOST = 2_000;

/** The patterns of a document: whoever wrote it may have made one to harm those who import it. */
export class Patterns {
  readonly #losses: Losses;
  /** Of those that were met: whether they are slow. */
  readonly #slow = new Map<string, boolean>();

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  isKept(pattern: unknown, pointer: string): boolean {
    if (!isPattern(pattern)) {
      this.#losses.note('a pattern that is no regular expression of JSON Schema', pointer);
      return false;
    }
    const isSlow = this.#slow.get(pattern) ?? (this.#slow.size >= MOST || isSlowPattern(pattern));
    this.#slow.set(pattern, isSlow);
    if (isSlow) this.#losses.note('a pattern that may take very long', pointer);
    return !isSlow;
  }

  /** The same of patterns that are keys: what one of them stood for must not be unknown without it. */
  properties(value: unknown, pointer: string): JsonSchema {
    if (!isObject(value)) return {};
    const all = Object.entries(value);
    const kept = all.filter(([pattern]) => this.isKept(pattern, below(pointer, pattern)));
    const open = { additionalProperties: undefined, unevaluatedProperties: undefined };
    return { patternProperties: Object.fromEntries(kept), ...(kept.length < all.length ? open : {}) };
  }
}

function isPattern(value: unknown): value is string {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
