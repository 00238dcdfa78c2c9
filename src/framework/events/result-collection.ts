/** Ends the trigger if it returns true for the result of a listener. */
export type Until = (result: unknown) => boolean;

/** The results of a trigger; a promise if a listener returned one. */
export type MaybeResults = ResultCollection | Promise<ResultCollection>;

/** A result with the position of its listener. */
interface PositionedResult {
  readonly at: number;
  readonly result: unknown;
}

/**
 * The results of the listeners of one trigger, in calling order.
 *
 * Most listeners return undefined, and usually only the last result is read: only defined results are stored, with
 * their positions.
 */
export class ResultCollection implements Iterable<unknown> {
  static readonly #empty: ResultCollection[] = [];

  #length: number;
  #last: unknown = undefined;
  #defined: PositionedResult[] | undefined;
  #stopped = false;

  /** @param length the number of listeners that have returned undefined so far */
  constructor(length = 0) {
    this.#length = length;
  }

  /** Returns the shared, immutable collection of `length` undefined results. */
  static empty(length: number): ResultCollection {
    return (ResultCollection.#empty[length] ??= new ResultCollection(length));
  }

  /** The result of the first listener. */
  get first(): unknown {
    const [first] = this.#defined ?? [];
    return first?.at === 0 ? first.result : undefined;
  }

  /** The result of the last listener, which may have ended the trigger. */
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
    for (const { at, result } of this.#defined ?? []) {
      for (; next < at; next++) yield undefined;
      yield result;
      next++;
    }
    for (; next < this.#length; next++) yield undefined;
  }

  /** Called by the event manager. */
  add(result: unknown): void {
    if (result !== undefined) (this.#defined ??= []).push({ at: this.#length, result });
    this.#last = result;
    this.#length++;
  }

  /** Called by the event manager. */
  stop(): void {
    this.#stopped = true;
  }
}
