/** Calls a function at an interval, while anything uses it. */
export class Sampler {
  readonly #take: () => void;
  readonly #interval: number;
  readonly #users = new Set<object>();
  #timer: NodeJS.Timeout | undefined;

  /** @param interval in milliseconds */
  constructor(take: () => void, interval: number) {
    this.#take = take;
    this.#interval = interval;
  }

  /** @returns whether this is the first user, so that calls begin */
  retain(user: object): boolean {
    this.#users.add(user);
    if (this.#timer !== undefined) return false;
    this.#timer = setInterval(this.#take, this.#interval);
    this.#timer.unref();
    return true;
  }

  /** @returns whether this was the last user, so that calls have ended */
  release(user: object): boolean {
    this.#users.delete(user);
    if (this.#users.size > 0) return false;
    clearInterval(this.#timer);
    this.#timer = undefined;
    return true;
  }
}
