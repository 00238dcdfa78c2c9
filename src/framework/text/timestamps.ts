const SECOND_MS = 1_000;

/** Formats times of log lines. Nearly all of them are of the same second as the one before, whose date is kept. */
export class Timestamps {
  /** The beginning of the second, in milliseconds. */
  #second = NaN;
  /** The text up to the seconds, with the decimal point. */
  #prefix = '';

  /** Returns a time as RFC 3339 in UTC, as `toISOString` does. @param time in milliseconds since 1970; an integer */
  of(time: number): string {
    const milliseconds = time - this.#second;
    // Also for a clock that was set back.
    if (!(milliseconds >= 0 && milliseconds < SECOND_MS)) return this.#ofOtherSecond(time);
    return `${this.#prefix}${MILLISECONDS[milliseconds]}Z`;
  }

  #ofOtherSecond(time: number): string {
    const text = new Date(time).toISOString();
    this.#second = Math.floor(time / SECOND_MS) * SECOND_MS;
    this.#prefix = text.slice(0, -'000Z'.length);
    return text;
  }
}

/** With three digits. */
const MILLISECONDS = Array.from({ length: SECOND_MS }, (_, at) => String(at).padStart(3, '0'));
