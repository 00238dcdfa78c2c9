/** Ends the trigger when it says true of a listener's result. */
export type Until = (result: unknown) => boolean;

/** What a trigger gives: at once where no listener answers with a promise. */
export type MaybeResults = ResultCollection | Promise<ResultCollection>;

/** A result, and the place of its listener among those that ran. */
interface Placed {
  readonly at: number;
  readonly result: unknown;
}

/**
 * What the listeners of one trigger returned, in the order in which they ran.
 *
 * Most listeners return nothing, and most triggers have nobody who looks at more than the last result: only what is
 * not undefined is kept, with its place.
 */
export class ResultCollection implements Iterable<unknown> {
  static readonly #ofNothing: ResultCollection[] = [];

  #length: number;
  #last: unknown = undefined;
  #kept: Placed[] | undefined;
  #stopped = false;

  /** @param length listeners that have returned nothing so far */
  constructor(length = 0) {
    this.#length = length;
  }

  /** What so many listeners returned that returned nothing: the same collection for all who ask. */
  static ofNothing(length: number): ResultCollection {
    return (ResultCollection.#ofNothing[length] ??= new ResultCollection(length));
  }

  /** The first listener's result; undefined when there was none. */
  get first(): unknown {
    const [kept] = this.#kept ?? [];
    return kept?.at === 0 ? kept.result : undefined;
  }

  /** The last result: the answer, where a listener cut the others short. */
  get last(): unknown {
    return this.#last;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether a listener, or the predicate of `triggerUntil`, kept later listeners from running. */
  get stopped(): boolean {
    return this.#stopped;
  }

  contains(value: unknown): boolean {
    return [...this].includes(value);
  }

  *[Symbol.iterator](): Iterator<unknown> {
    let next = 0;
    for (const { at, result } of this.#kept ?? []) {
      for (; next < at; next++) yield undefined;
      yield result;
      next++;
    }
    for (; next < this.#length; next++) yield undefined;
  }

  /** The event manager's call. */
  add(result: unknown): void {
    if (result !== undefined) (this.#kept ??= []).push({ at: this.#length, result });
    this.#last = result;
    this.#length++;
  }

  /** The event manager's call. */
  stop(): void {
    this.#stopped = true;
  }
}
