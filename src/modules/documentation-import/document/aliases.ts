import { ConfigurationError, isObject, printable } from '../../../framework';

/** Deeper documents are malicious. */
const MAX_DEPTH = 200;

/** Values of a document with aliases, with what they repeat; a document of 10 MB has about half as many without. */
const MAX_VALUES = 2_000_000;

/** The size of a value that is written out: each alias counts as what it refers to. */
interface Size {
  readonly values: number;
  readonly depth: number;
}

/**
 * Applies YAML merge keys (`<<: *base`, https://yaml.org/type/merge.html) to a parsed document: OpenAPI documents use them,
 * although YAML 1.2 has them no more. Values that aliases share are measured once, and remain shared.
 *
 * @param name of the file, for messages
 * @param isYaml JSON has no merge keys
 * @throws ConfigurationError for a document that is circular, too deep or too large
 */
export function expandAliases(document: unknown, name: string, isYaml: boolean): void {
  new AliasExpansion(printable(name), isYaml).sizeOf(document);
}

class AliasExpansion {
  /** Null while a value is measured: its own members must not refer to it. */
  readonly #sizes = new Map<object, Size | null>();
  #mergedMembers = 0;
  /** Whether a value has been found in a second place. */
  #isRepeated = false;

  constructor(
    private readonly name: string,
    private readonly isYaml: boolean,
  ) {}

  /** @param level levels around the value: what is nested too deep is refused before the stack ends */
  sizeOf(value: unknown, level = 0): Size {
    if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 };
    const known = this.#sizes.get(value);
    if (known === null) throw this.#error('is circular, by a YAML alias. Remove the alias');
    if (known !== undefined) this.#isRepeated = true;
    const size = known ?? this.#measure(value, level);
    if (level + size.depth > MAX_DEPTH) throw this.#error(`is nested deeper than ${MAX_DEPTH} levels`);
    return size;
  }

  #measure(value: object, level: number): Size {
    if (level > MAX_DEPTH) throw this.#error(`is nested deeper than ${MAX_DEPTH} levels`);
    this.#sizes.set(value, null);
    if (this.isYaml && Object.hasOwn(value, '<<')) this.#merge(value, level);
    let values = 1;
    let depth = 0;
    for (const member of Object.values(value)) {
      const size = this.sizeOf(member, level + 1);
      values += size.values;
      depth = Math.max(depth, size.depth + 1);
    }
    this.#assertSmall(values);
    this.#sizes.set(value, { values, depth });
    return { values, depth };
  }

  /** Replaces the member `<<` with the members of its value that the object does not have; earlier values win. */
  #merge(object: object, level: number): void {
    const base: unknown = Reflect.get(object, '<<');
    const bases: readonly unknown[] = Array.isArray(base) ? base : [base];
    // The name of a member, which was in quotes.
    if (!bases.every(isObject)) return;
    Reflect.deleteProperty(object, '<<');
    for (const one of bases) {
      // The members of the value may be merged themselves.
      this.sizeOf(one, level + 1);
      const entries = Object.entries(one);
      this.#assertSmall((this.#mergedMembers += entries.length));
      for (const [key, value] of entries) {
        if (!Object.hasOwn(object, key))
          Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      }
    }
  }

  #assertSmall(values: number): void {
    if (values <= MAX_VALUES || !this.#isRepeated) return;
    throw this.#error(
      `has more than ${MAX_VALUES.toLocaleString('en')} values, by YAML aliases. Replace them with fewer, or with a "$ref"`,
    );
  }

  #error(reason: string): ConfigurationError {
    return new ConfigurationError(`${this.name} ${reason}.`);
  }
}
