/** The resolution of a window: usage expires at most a 256th of the window late, never early. */
const SLOTS = 256;

/** What was used at a time: the age in milliseconds, and how much. */
export type Use = readonly [age: number, weight: number];

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

  /** What is used now, oldest first. Ages are those of the ends of slots. */
  uses(slotLength: number, now: number): readonly Use[] {
    this.#expire(Math.floor(now / slotLength));
    return this.#slots
      .slice(this.#first)
      .map((slot, at) => [Math.max(0, now - (slot + 1) * slotLength), this.#counts[this.#first + at] ?? 0]);
  }

  /** Raises the usage to that of others who know more. Their newest uses are added, so that nothing expires early. */
  raise(uses: readonly Use[], slotLength: number, now: number): void {
    const newest = Math.floor(now / slotLength);
    this.#expire(newest);
    const bySlot = new Map<number, number>();
    for (const [age, weight] of uses) {
      const slot = Math.min(newest, Math.floor((now - age) / slotLength));
      if (slot + SLOTS >= newest) bySlot.set(slot, (bySlot.get(slot) ?? 0) + weight);
    }
    let missing = [...bySlot.values()].reduce((sum, weight) => sum + weight, 0) - this.#used;
    if (missing <= 0) return;
    this.#used += missing;
    const counts = new Map(
      this.#slots.slice(this.#first).map((slot, at) => [slot, this.#counts[this.#first + at] ?? 0]),
    );
    for (const [slot, weight] of [...bySlot].sort(([a], [b]) => b - a)) {
      const added = Math.min(missing, weight);
      missing -= added;
      if (added > 0) counts.set(slot, (counts.get(slot) ?? 0) + added);
    }
    const sorted = [...counts].sort(([a], [b]) => a - b);
    this.#slots = sorted.map(([slot]) => slot);
    this.#counts = sorted.map(([, count]) => count);
    this.#first = 0;
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
