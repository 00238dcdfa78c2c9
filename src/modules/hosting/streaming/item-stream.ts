import { Readable } from 'node:stream';
import { toError } from '../../../framework';
import { Heartbeat, type HeartbeatOptions } from './heartbeat';

/** An iterable result. */
export type Items = AsyncIterable<unknown> | Iterable<unknown>;

export interface ItemStreamOptions {
  readonly write: (item: unknown) => string | Uint8Array;
  /** Precedes the first item. */
  readonly head?: string | undefined;
  /** Called before the first item is requested. */
  readonly begin: () => void;
  /** Receives errors of the iterator's cleanup; other errors go to the stream. */
  readonly failed: (error: unknown) => void;
  /** Heartbeat of an idle stream; undefined for none. */
  readonly heartbeat?: HeartbeatOptions | undefined;
}

/**
 * Serializes items on demand, one at a time. When the reader stops, the iterator is returned so that it can release
 * resources; an error ends the stream prematurely.
 */
export class ItemStream extends Readable {
  readonly #source: Items;
  readonly #items: AsyncIterator<unknown, unknown> | Iterator<unknown, unknown>;
  readonly #options: ItemStreamOptions;
  readonly #heartbeat: Heartbeat | undefined;
  /** The first item, if requested in advance. */
  #first: Promise<IteratorResult<unknown, unknown>> | undefined;
  #hasBegun = false;
  #isPending = false;
  #isDone = false;
  #hasEnded = false;

  constructor(source: Items, options: ItemStreamOptions) {
    super();
    this.#source = source;
    this.#options = options;
    if (options.heartbeat !== undefined) this.#heartbeat = new Heartbeat(this, options.heartbeat);
    // Errors before reading are reported on reading.
    if (source instanceof Readable) source.on('error', () => undefined);
    this.#items = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /**
   * Requests the first item, and waits for it for one turn of the event loop: an immediate error can still become
   * an error response.
   * @throws the error of the first item
   */
  async prepare(): Promise<void> {
    this.#first = this.#requestFirst();
    // Later errors are reported on reading.
    this.#first.catch(() => undefined);
    let waiting: NodeJS.Immediate | undefined;
    const nextTurn = new Promise<void>((resolve) => (waiting = setImmediate(resolve)));
    try {
      await Promise.race([this.#first, nextTurn]);
    } catch (error) {
      this.#isDone = true;
      if (this.#hasEnded) return;
      this.destroy();
      throw error;
    } finally {
      clearImmediate(waiting);
    }
  }

  /** Ends the stream before its next item. */
  end(): void {
    if (this.destroyed || this.#hasEnded) return;
    this.#hasEnded = true;
    this.#heartbeat?.stop();
    this.push(null);
  }

  override _read(): void {
    // Also called after a heartbeat, while an item is still pending.
    if (!this.#isPending) void this.#next();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#heartbeat?.stop();
    // The iterator returns when its pending item is done; nothing else waits for it.
    if (!this.#isDone) void this.#returnIterator();
    callback(error);
  }

  async #requestFirst(): Promise<IteratorResult<unknown, unknown>> {
    return this.#hasEnded ? { done: true, value: undefined } : this.#items.next();
  }

  async #next(): Promise<void> {
    this.#isPending = true;
    try {
      if (!this.#hasBegun) {
        this.#hasBegun = true;
        this.#options.begin();
        if (this.#options.head !== undefined) this.push(this.#options.head);
        this.#heartbeat?.start();
      }
      const { done, value } = await (this.#first ?? this.#items.next());
      this.#first = undefined;
      this.#isDone = done === true;
      if (this.destroyed || this.#hasEnded) return;
      this.#isPending = false;
      if (this.#isDone) this.end();
      else this.#send(this.#options.write(value));
    } catch (error) {
      // An aborted iterator may throw.
      if (this.destroyed || this.#hasEnded) return;
      this.destroy(toError(error));
    }
  }

  #send(chunk: string | Uint8Array): void {
    this.#heartbeat?.reset(chunk);
    this.push(chunk);
  }

  async #returnIterator(): Promise<void> {
    try {
      await this.#items.return?.();
    } catch (error) {
      this.#options.failed(error);
    }
    // An unread stream does not notice that its iterator was returned.
    if (this.#source instanceof Readable) this.#source.destroy();
  }
}

/** Returns an iterable result; undefined for anything else, including text and bytes. */
export function toItems(result: unknown): Items | undefined {
  if (typeof result !== 'object' || result === null || result instanceof Uint8Array) return undefined;
  return isIterable(result) ? result : undefined;
}

function isIterable(result: object): result is Items {
  return Symbol.asyncIterator in result || Symbol.iterator in result;
}
