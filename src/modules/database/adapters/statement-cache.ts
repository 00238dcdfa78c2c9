/** Clients decide which combinations of parameters they send, and each is another statement. */
const MAX_STATEMENTS = 500;

/** Characters of all texts together. Memory grows with them: a filter with thousands of values has as many parameters. */
const MAX_LENGTH = 400_000;

/** A longer statement would take the place of too many others. */
const MAX_TEXT = MAX_LENGTH / 4;

/** Keeps what was made of the latest statements. */
export class StatementCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly length: number }>();
  #length = 0;

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** @param length of the text of the statement */
  add(key: string, value: Value, length: number): Value {
    this.delete(key);
    if (length > MAX_TEXT) return value;
    this.#entries.set(key, { value, length });
    this.#length += length;
    // The oldest ones: maps keep the order of insertion.
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_STATEMENTS && this.#length <= MAX_LENGTH) break;
      this.delete(oldest);
    }
    return value;
  }

  delete(key: string): void {
    this.#length -= this.#entries.get(key)?.length ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#length = 0;
  }
}
