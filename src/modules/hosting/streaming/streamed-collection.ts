/**
 * All entities of a collection, for `streamAll`. They come in batches, such as the rows that a database returns at
 * once: a batch is sent as one piece, so it should be small.
 */
export class StreamedCollection<Entity = unknown> implements AsyncIterable<readonly Entity[]> {
  readonly #batches: AsyncIterable<readonly Entity[]>;
  /** The members of an entity: the columns of comma-separated values, in their order. */
  readonly members: readonly string[];

  constructor(batches: AsyncIterable<readonly Entity[]>, members: readonly string[]) {
    this.#batches = batches;
    this.members = members;
  }

  [Symbol.asyncIterator](): AsyncIterator<readonly Entity[]> {
    return this.#batches[Symbol.asyncIterator]();
  }
}
