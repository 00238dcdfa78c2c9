/** The resolution of a window: usage expires at most a 256th of the window late, never early. */
const SLOTS = 256;

/** The result of counting, or of asking. */
export interface Quota {
  /** What is left now. */
  readonly remaining: number;
  /** Milliseconds until more becomes available; 0 if nothing was used. */
  readonly reset: number;
}

/**
 * The usage of one client within a sliding window: at no time does any window of this length have more than the limit.
 * A fixed window would let twice the limit pass around its border. Requests of the same 256th of the window share an
 * entry, which bounds memory whatever the limit is.
 */
export class SlidingWindow {
  /** The slots with usage, oldest first, and the usage of each. */
  #slots: number[] = [];
  #counts: number[] = [];
  /** The index of the first entry that has not expired. */
  #first = 0;
  #used = 0;

  /**
   * Returns what is used now.
   * @param slotLength in milliseconds, a 256th of the window
   * @param now in milliseconds of a monotonic clock
   */
  used(slotLength: number, now: number): number {
    this.#expire(Math.floor(now / slotLength));
    return this.#used;
  }

  add(weight: number, slotLength: number, now: number): void {
    const slot = Math.floor(now / slotLength);
    this.#expire(slot);
    if (weight === 0) return;
    this.#used += weight;
    const last = this.#slots.length - 1;
    if (last >= this.#first && this.#slots[last] === slot)
      this.#counts[last] = (this.#counts[last] ?? 0) + weight;
    else {
      this.#slots.push(slot);
      this.#counts.push(weight);
    }
  }

  /** Milliseconds until at least `amount` of the usage has expired; 0 without usage. */
  msUntilFree(amount: number, slotLength: number, now: number): number {
    let freed = 0;
    for (let at = this.#first; at < this.#slots.length; at++) {
      freed += this.#counts[at] ?? 0;
      if (freed >= amount) return Math.max(0, ((this.#slots[at] ?? 0) + SLOTS + 1) * slotLength - now);
    }
    return 0;
  }

  /** An entry expires when a whole window has passed since the end of its slot. */
  #expire(slot: number): void {
    while (this.#first < this.#slots.length && (this.#slots[this.#first] ?? 0) + SLOTS < slot)
      this.#used -= this.#counts[this.#first++] ?? 0;
    // Removing each entry on its own would move all others.
    if (this.#first <= SLOTS && this.#first < this.#slots.length) return;
    this.#slots = this.#slots.slice(this.#first);
    this.#counts = this.#counts.slice(this.#first);
    this.#first = 0;
  }
}

/** The length of a slot in milliseconds. @param window in seconds */
export function slotLengthOf(window: number): number {
  return (window * 1_000) / SLOTS;
}
