import { steadyNow } from '../values/steady-now';

/** In milliseconds. */
const INTERVAL = 600_000;

/** The maximum number of texts of a source in an interval: clients may have written them. */
const MAX_TEXTS = 20;

/** Limits the lines of a log that clients can cause as often as they want to: each text once in 10 minutes. */
export class LogLimit {
  /** By source. */
  readonly #logged = new Map<string, Set<string>>();
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
    const texts = this.#logged.get(source) ?? new Set();
    this.#logged.set(source, texts);
    if (texts.has(text) || texts.size >= MAX_TEXTS) return false;
    texts.add(text);
    return true;
  }
}
