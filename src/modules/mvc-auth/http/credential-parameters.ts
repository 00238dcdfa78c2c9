/** The parameters of Digest (RFC 7616, 3.4), in the order of {@link CredentialParameters.digest}. */
export const DIGEST_PARAMETERS = [
  ...['username', 'username*', 'userhash', 'realm', 'nonce', 'uri', 'response', 'algorithm', 'cnonce'],
  ...['opaque', 'qop', 'nc'],
];

const NONE: readonly (string | undefined)[] = DIGEST_PARAMETERS.map(() => undefined);

/**
 * The parameters of credentials, each there once. Those of Digest come with every request: as they have their places,
 * their names are neither made nor looked for.
 */
export class CredentialParameters implements Iterable<readonly [string, string]> {
  readonly #digest = NONE.slice();
  #others: Map<string, string> | undefined;

  /** The values of the parameters of Digest, in the order of {@link DIGEST_PARAMETERS}. */
  get digest(): readonly (string | undefined)[] {
    return this.#digest;
  }

  /** @param name in lower case */
  get(name: string): string | undefined {
    const place = DIGEST_PARAMETERS.indexOf(name);
    return place < 0 ? this.#others?.get(name) : this.#digest[place];
  }

  /** @param name in lower case @returns false for a name that is there already */
  add(name: string, value: string): boolean {
    const place = DIGEST_PARAMETERS.indexOf(name);
    if (place >= 0) return this.addAt(place, value);
    this.#others ??= new Map();
    if (this.#others.has(name)) return false;
    this.#others.set(name, value);
    return true;
  }

  /** @param place that of the name among {@link DIGEST_PARAMETERS} @returns false for one that is there already */
  addAt(place: number, value: string): boolean {
    if (this.#digest[place] !== undefined) return false;
    this.#digest[place] = value;
    return true;
  }

  /** Those of Digest first. */
  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    for (const [place, name] of DIGEST_PARAMETERS.entries()) {
      const value = this.#digest[place];
      if (value !== undefined) yield [name, value];
    }
    yield* this.#others ?? [];
  }
}
