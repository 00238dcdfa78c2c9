/** Statements of one table service that are kept; clients decide which combinations of parameters they send. */
const MAX_SHAPES = 500;

/** Keeps what was compiled for the latest shapes of queries. */
export class ShapeCache<Value> {
  readonly #values = new Map<string, Value>();

  get(shape: string, compile: () => Value): Value {
    const known = this.#values.get(shape);
    if (known !== undefined) return known;
    const value = compile();
    // The oldest one: maps keep the order of insertion.
    const [oldest] = this.#values.size >= MAX_SHAPES ? this.#values.keys() : [];
    if (oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(shape, value);
    return value;
  }
}
