/**
 * Passwords that are being verified. Hashing is slow enough for many guesses to arrive meanwhile: until they are
 * verified, they count as failures for one another. Equal passwords, as in parallel requests of a browser, count once.
 */
export class PendingVerifications {
  readonly #pending = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#pending.size === 0;
  }

  /** The number of other pending guesses for a key. */
  others(key: string, guess: string | undefined): number {
    const guesses = this.#pending.get(key);
    if (guesses === undefined) return 0;
    return guesses.size - (guess !== undefined && guesses.has(guess) ? 1 : 0);
  }

  /** @returns removes it again; to be called once */
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
