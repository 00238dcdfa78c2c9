/** Ends the trigger when it returns true for a listener's result. */
export type Until = (result: unknown) => boolean;

/** The results of a trigger; a promise where a listener returned one. */
export type MaybeResults = ResultCollection | Promise<ResultCollection>;

/** A result, and the position of its listener. */
interface PositionedResult {
  readonly at: number;
  readonly result: unknown;
}

/**
 * The results of the listeners of one trigger, in the order in which they ran.
 *
 * Most listeners return nothing, and mostly only the last result is read: only defined results are stored, with their
 * position.
 */
export class ResultCollection implements Iterable<unknown> {
  static readonly #empty: ResultCollection[] = [];

  #length: number;
  #last: unknown = undefined;
  #kept: PositionedResult[] | undefined;
  #stopped = false;

  /** @param length the number of listeners that have returned undefined so far */
  constructor(length = 0) {
    this.#length = length;
  }

  /** The shared, immutable collection of `length` undefined results. */
  static empty(length: number): ResultCollection {
    return (ResultCollection.#empty[length] ??= new ResultCollection(length));
  }

  /** The first listener's result; undefined when there was none. */
  get first(): unknown {
    const [kept] = this.#kept ?? [];
    return kept?.at === 0 ? kept.result : undefined;
  }

  /** The last result: the one that ended the trigger, where one did. */
  get last(): unknown {
    return this.#last;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether a listener, or the predicate of `triggerUntil`, ended the trigger early. */
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

  /** Called by the event manager. */
  add(result: unknown): void {
    if (result !== undefined) (this.#kept ??= []).push({ at: this.#length, result });
    this.#last = result;
    this.#length++;
  }

  /** Called by the event manager. */
  stop(): void {
    this.#stopped = true;
  }
}
