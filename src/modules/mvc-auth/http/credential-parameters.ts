/** The parameters of Digest (RFC 7616, 3.4), in the order of {@link CredentialParameters.digest}. */
export const DIGEST_PARAMETERS = [
  ...['username', 'username*', 'userhash', 'realm', 'nonce', 'uri', 'response', 'algorithm', 'cnonce'],
  ...['opaque', 'qop', 'nc'],
];

const NONE: readonly (string | undefined)[] = DIGEST_PARAMETERS.map(() => undefined);

/**
 * The parameters of credentials, by lower-case name. Those of Digest, which come with every request, are kept in an
 * array by index, which saves allocating and looking up their names.
 */
export class CredentialParameters implements Iterable<readonly [string, string]> {
  readonly #digest = NONE.slice();
  #others: Map<string, string> | undefined;

  /** The values of the Digest parameters, in the order of {@link DIGEST_PARAMETERS}. */
  get digest(): readonly (string | undefined)[] {
    return this.#digest;
  }

  get(name: string): string | undefined {
    const index = DIGEST_PARAMETERS.indexOf(name);
    return index < 0 ? this.#others?.get(name) : this.#digest[index];
  }

  /** @returns false for a name that was added before */
  add(name: string, value: string): boolean {
    const index = DIGEST_PARAMETERS.indexOf(name);
    if (index >= 0) return this.addAt(index, value);
    this.#others ??= new Map();
    if (this.#others.has(name)) return false;
    this.#others.set(name, value);
    return true;
  }

  /** @param index of the name in {@link DIGEST_PARAMETERS} @returns false for a name that was added before */
  addAt(index: number, value: string): boolean {
    if (this.#digest[index] !== undefined) return false;
    this.#digest[index] = value;
    return true;
  }

  /** The Digest parameters first. */
  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    for (const [index, name] of DIGEST_PARAMETERS.entries()) {
      const value = this.#digest[index];
      if (value !== undefined) yield [name, value];
    }
    yield* this.#others ?? [];
  }
}
