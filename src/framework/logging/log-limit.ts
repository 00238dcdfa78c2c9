import { steadyNow } from '../values/steady-now';

/** In milliseconds. */
const INTERVAL = 600_000;

/** The maximum number of kinds of texts of a source in an interval: clients may have written them. */
const MAX_KINDS = 20;

/** The maximum number of texts of a kind in an interval. */
const MAX_TEXTS = 5;

/**
 * What differs between texts of one kind, such as the ID of a key: many of them must not use up the lines of other kinds.
 * Quoted as in JSON; the last may be truncated.
 */
const VARIABLE = /"(?:[^"\\]|\\[^]?)*(?:"|$)/g;

/** Limits the lines of a log that clients can cause as often as they want to: each text once in 10 minutes. */
export class LogLimit {
  /** The texts by source and kind. */
  readonly #logged = new Map<string, Map<string, Set<string>>>();
  readonly #clock: () => number;
  #begin = -Infinity;

  /** @param clock milliseconds; defaults to `steadyNow` */
  constructor(clock: () => number = steadyNow) {
    this.#clock = clock;
  }

  /** Returns whether to log a text. @param source such as an adapter: of a limited number, unlike texts */
  allows(source: string, text: string): boolean {
    const now = this.#clock();
    if (now - this.#begin >= INTERVAL) {
      this.#logged.clear();
      this.#begin = now;
    }
    const kinds = this.#logged.get(source) ?? new Map<string, Set<string>>();
    this.#logged.set(source, kinds);
    const kind = text.replace(VARIABLE, '""');
    const texts = kinds.get(kind) ?? new Set();
    if (texts.has(text) || texts.size >= MAX_TEXTS) return false;
    if (texts.size === 0 && kinds.size >= MAX_KINDS) return false;
    kinds.set(kind, texts.add(text));
    return true;
  }
}
