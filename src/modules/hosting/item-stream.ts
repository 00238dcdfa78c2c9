import { Readable } from 'node:stream';
import { Heartbeat, type Beat } from './heartbeat';

/** What can be gone through item by item. */
export type Items = AsyncIterable<unknown> | Iterable<unknown>;

export interface ItemStreamOptions {
  readonly write: (item: unknown) => string | Uint8Array;
  /** Called before the first item is asked for. */
  readonly begin: () => void;
  /** Told of what failed when it was to put away what it holds; other errors are the stream's own. */
  readonly failed: (error: unknown) => void;
  /** What is sent when nothing else was for some time; undefined for nothing. */
  readonly heartbeat?: Beat | undefined;
}

/**
 * Items as bytes, asked for one at a time and only while somebody takes them. Whoever stops reading has the
 * iterator returned, so that it can put away what it holds; an error ends the stream without its end.
 */
export class ItemStream extends Readable {
  readonly #source: Items;
  readonly #items: AsyncIterator<unknown, unknown> | Iterator<unknown, unknown>;
  readonly #options: ItemStreamOptions;
  readonly #heartbeat: Heartbeat | undefined;
  /** The first item, when it was asked for before somebody took it. */
  #ahead: Promise<IteratorResult<unknown, unknown>> | undefined;
  #begun = false;
  #asked = false;
  #done = false;

  constructor(source: Items, options: ItemStreamOptions) {
    super();
    this.#source = source;
    this.#options = options;
    if (options.heartbeat !== undefined) this.#heartbeat = new Heartbeat(this, options.heartbeat);
    // What fails before it is read tells so when it is read.
    if (source instanceof Readable) source.on('error', () => undefined);
    this.#items = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /**
   * Asks for the first item, and waits no longer than until something else is waited for: what fails at once fails
   * while there is still another answer to give.
   * @throws what the items fail with, unless they wait for something before
   */
  async prepare(): Promise<void> {
    this.#ahead = this.#ask();
    // One that fails later fails when it is read.
    this.#ahead.catch(() => undefined);
    let waiting: NodeJS.Immediate | undefined;
    const elsewhere = new Promise<void>((resolve) => (waiting = setImmediate(resolve)));
    try {
      await Promise.race([this.#ahead, elsewhere]);
    } catch (error) {
      this.#done = true;
      this.destroy();
      throw error;
    } finally {
      clearImmediate(waiting);
    }
  }

  override _read(): void {
    // More is wanted after a heartbeat too, while the item that was asked for is still to come.
    if (!this.#asked) void this.#next();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#heartbeat?.stop();
    // An iterator that waits returns when it has waited: nobody else has to.
    if (!this.#done) void this.#leave();
    callback(error);
  }

  async #ask(): Promise<IteratorResult<unknown, unknown>> {
    return this.#items.next();
  }

  async #next(): Promise<void> {
    this.#asked = true;
    try {
      if (!this.#begun) {
        this.#begun = true;
        this.#options.begin();
        this.#heartbeat?.start();
      }
      const { done, value } = await (this.#ahead ?? this.#items.next());
      this.#ahead = undefined;
      this.#done = done === true;
      if (this.destroyed) return;
      this.#asked = false;
      this.#send(this.#done ? null : this.#options.write(value));
    } catch (error) {
      // Whoever is told to stop may say so by an error.
      if (this.destroyed) return;
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #send(chunk: string | Uint8Array | null): void {
    if (chunk === null) this.#heartbeat?.stop();
    else this.#heartbeat?.sent(chunk);
    this.push(chunk);
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
