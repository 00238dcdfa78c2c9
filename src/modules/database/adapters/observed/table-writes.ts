import { isThenable, type MaybePromise } from '../../../../framework';

interface TableWatch {
  /** Matches statements that name the table. */
  readonly pattern: RegExp;
  readonly listener: () => void;
}

/** The tables whose changes by this process are observed. */
export class TableWrites {
  readonly #watches = new Set<TableWatch>();

  get areWatched(): boolean {
    return this.#watches.size > 0;
  }

  /** @param table with or without its schema @returns a function that removes the listener */
  watch(table: string, listener: () => void): () => void {
    const name = table.slice(table.lastIndexOf('.') + 1).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const watch = { pattern: new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'i'), listener };
    this.#watches.add(watch);
    return () => void this.#watches.delete(watch);
  }

  /** Whether a statement names a watched table. */
  includes(text: string): boolean {
    for (const { pattern } of this.#watches) if (pattern.test(text)) return true;
    return false;
  }

  /**
   * Calls the listeners of the tables that statements name when an action has ended, also if it failed.
   * @param texts read at the end
   */
  after<T>(texts: readonly string[], action: () => MaybePromise<T>): MaybePromise<T> {
    let result: MaybePromise<T>;
    try {
      result = action();
    } catch (error) {
      this.#notify(texts);
      throw error;
    }
    if (isThenable(result)) return Promise.resolve(result).finally(() => this.#notify(texts));
    this.#notify(texts);
    return result;
  }

  #notify(texts: readonly string[]): void {
    for (const { pattern, listener } of [...this.#watches])
      if (texts.some((text) => pattern.test(text))) listener();
  }
}
