/** What is kept for a place, such as a session. */
interface Entry<T> {
  readonly place: string;
  readonly value: T;
  readonly keptAt: number;
}

export interface KeptLimits {
  /** Entries at most; beyond it, the oldest one is dropped. */
  readonly entries: number;
  /** Milliseconds that an entry is kept. */
  readonly lifetime: number;
}

/** What submitted forms leave in the memory of this process for a limited time, by token. */
export class KeptEntries<T> {
  /** The oldest first. */
  readonly #entries = new Map<string, Entry<T>>();
  readonly #limits: KeptLimits;
  readonly #clock: () => number;

  /** @param clock in milliseconds */
  constructor(limits: KeptLimits, clock: () => number) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Keeps a value, in place of an earlier one of the token. @returns the tokens of those that are dropped */
  keep(token: string, place: string, value: T): readonly string[] {
    const now = this.#clock();
    this.#entries.delete(token);
    this.#entries.set(token, { place, value, keptAt: now });
    const dropped: string[] = [];
    for (const [oldest, { keptAt }] of this.#entries) {
      if (this.#entries.size <= this.#limits.entries && now - keptAt < this.#limits.lifetime) break;
      this.#entries.delete(oldest);
      dropped.push(oldest);
    }
    return dropped;
  }

  /** Returns the value of a token; undefined for another place, and after its lifetime. */
  find(token: string, place: string): T | undefined {
    const found = this.#entries.get(token);
    if (found?.place !== place || this.#clock() - found.keptAt >= this.#limits.lifetime) return undefined;
    return found.value;
  }

  has(token: string): boolean {
    return this.#entries.has(token);
  }

  remove(token: string): void {
    this.#entries.delete(token);
  }

  tokensOf(place: string): readonly string[] {
    return [...this.#entries].filter(([, entry]) => entry.place === place).map(([token]) => token);
  }
}
