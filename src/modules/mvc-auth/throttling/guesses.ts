/**
 * Passwords that are being verified at the moment, which takes long enough for many more to arrive: they count
 * as failures for one another until they are known to be right. The same password, as in the parallel requests
 * of a browser, is one guess.
 */
export class Guesses {
  readonly #pending = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#pending.size === 0;
  }

  /** How many other guesses are on their way under a key. */
  others(key: string, guess: string | undefined): number {
    const guesses = this.#pending.get(key);
    if (guesses === undefined) return 0;
    return guesses.size - (guess !== undefined && guesses.has(guess) ? 1 : 0);
  }

  /** @returns ends it; to be called once */
  begin(key: string, guess: string): () => void {
    const guesses = this.#pending.get(key) ?? new Map<string, number>();
    this.#pending.set(key, guesses);
    guesses.set(guess, (guesses.get(guess) ?? 0) + 1);
    return () => {
      const left = (guesses.get(guess) ?? 1) - 1;
      if (left > 0) guesses.set(guess, left);
      else guesses.delete(guess);
      if (guesses.size === 0) this.#pending.delete(key);
    };
  }
}
