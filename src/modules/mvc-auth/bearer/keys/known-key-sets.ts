/**
 * The JWK Sets that were fetched last, by URL. They survive a reload of the configuration, during which an issuer may be
 * unavailable.
 */
export class KnownKeySets {
  readonly #sets = new Map<string, unknown>();

  /** The parsed response; undefined for a URL that has never responded with keys. */
  get(url: string): unknown {
    return this.#sets.get(url);
  }

  set(url: string, response: unknown): void {
    this.#sets.set(url, response);
  }
}
