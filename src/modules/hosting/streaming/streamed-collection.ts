/**
 * All entities of a collection, in batches: the result of `streamAll`. Each batch is written at once, so it should be
 * small.
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
