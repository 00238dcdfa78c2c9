/** Another participant, as the counter sees it. */
export interface CountPeer<T> {
  /** Adds what the participant reports, and tells all others. */
  receive(change: T): void;
  leave(): void;
}

/**
 * The participants that count the same things as this process: its workers or its primary, and other nodes. Each counts
 * at once what it sees itself, and adds what the others report.
 */
export class CountPeers<T> {
  readonly #apply: (change: T) => void;
  #listeners: readonly ((change: T) => void)[] = [];

  /** @param apply adds what another participant reports to the counts of this process */
  constructor(apply: (change: T) => void) {
    this.#apply = apply;
  }

  /** Whether nobody else counts, as is usual: saves describing changes. */
  get isEmpty(): boolean {
    return this.#listeners.length === 0;
  }

  /** Tells all participants what this process has counted. */
  tell(change: T): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Adds a participant. @param listener receives what all others count, and must not throw */
  join(listener: (change: T) => void): CountPeer<T> {
    // One per participant, also if they share a function.
    const own = (change: T): void => listener(change);
    this.#listeners = [...this.#listeners, own];
    return {
      receive: (change) => {
        this.#apply(change);
        for (const other of this.#listeners) if (other !== own) other(change);
      },
      leave: () => {
        this.#listeners = this.#listeners.filter((other) => other !== own);
      },
    };
  }
}
