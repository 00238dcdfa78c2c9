import { Readable } from 'node:stream';

/** What can be gone through item by item. */
export type Items = AsyncIterable<unknown> | Iterable<unknown>;

export interface ItemStreamOptions {
  readonly write: (item: unknown) => string | Uint8Array;
  /** Called before the first item is asked for. */
  readonly begin: () => void;
  /** Told of what ended the stream before its time. */
  readonly failed: (error: unknown) => void;
}

/**
 * Items as bytes, asked for one at a time and only while somebody takes them. Whoever stops reading has the
 * iterator returned, so that it can put away what it holds; an error is told, and ends the stream without its end.
 */
export class ItemStream extends Readable {
  readonly #source: Items;
  readonly #items: AsyncIterator<unknown, unknown> | Iterator<unknown, unknown>;
  readonly #options: ItemStreamOptions;
  #begun = false;
  #done = false;

  constructor(source: Items, options: ItemStreamOptions) {
    super();
    this.#source = source;
    this.#options = options;
    // What fails before it is read tells so when it is read.
    if (source instanceof Readable) source.on('error', () => undefined);
    this.#items = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  override _read(): void {
    void this.#next();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // An iterator that waits returns when it has waited: nobody else has to.
    if (!this.#done) void this.#leave();
    callback(error);
  }

  async #next(): Promise<void> {
    try {
      if (!this.#begun) {
        this.#begun = true;
        this.#options.begin();
      }
      const { done, value } = await this.#items.next();
      this.#done = done === true;
      if (this.destroyed) return;
      this.push(this.#done ? null : this.#options.write(value));
    } catch (error) {
      // Whoever is told to stop may say so by an error.
      if (this.destroyed) return;
      this.#options.failed(error);
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #leave(): Promise<void> {
    try {
      await this.#items.return?.();
    } catch (error) {
      this.#options.failed(error);
    }
    // One that nobody has begun to read does not notice that its iterator was returned.
    if (this.#source instanceof Readable) this.#source.destroy();
  }
}

/** @returns undefined for what has no items; a text is one thing */
export function itemsOf(result: unknown): Items | undefined {
  return typeof result === 'object' && result !== null && isIterable(result) ? result : undefined;
}

function isIterable(result: object): result is Items {
  return Symbol.asyncIterator in result || Symbol.iterator in result;
}
