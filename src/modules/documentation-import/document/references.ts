import {
  objectOf,
  type JsonObject,
  isObject,
  memberAt,
  parsePointer,
  printable,
  inlineReferences,
  ConfigurationError,
} from '../../../framework';
import { childPointer, excerpt } from './json';

/** Members that hold data, in which `$ref` is an ordinary name. */
const VALUES: readonly string[] = ['example', 'examples', 'default', 'enum', 'const'];

const EXAMPLES = '#/components/examples/';

/** Examples that are inlined into one example; their number can grow exponentially. */
const MAX_INLINED_EXAMPLES = 100;

/** Length of a chain of references. */
const MAX_REFERENCE_CHAIN = 200;

/** Resolves the `$ref`s of one document. External documents are never fetched. */
export class DocumentReferences {
  readonly #document: JsonObject;
  readonly #name: string;
  /** References that are known to resolve. */
  readonly #resolved = new Set<string>();

  /** @throws ConfigurationError for a reference that is external, unresolvable or circular */
  constructor(document: JsonObject, name: string) {
    this.#document = document;
    this.#name = name;
    this.#check(document, '#');
  }

  /** Returns the object, following references. */
  resolve(value: unknown): JsonObject {
    const { $ref: reference } = objectOf(value);
    if (typeof reference === 'string') return this.resolve(this.at(reference));
    return objectOf(value);
  }

  /** Returns the target of a reference, which may be a reference itself. */
  at(reference: string): unknown {
    if (reference !== '#' && !reference.startsWith('#/')) return undefined;
    return memberAt(this.#document, tokensOf(reference));
  }

  /**
   * Inlines the `$ref`s of an example to other examples. A `$ref` in a value is an ordinary name (OpenAPI 3.1.1,
   * 4.8.19), but some documents use it like that. Other references, and those beyond the limit, remain.
   */
  inlineExamples(value: unknown): unknown {
    let remaining = MAX_INLINED_EXAMPLES;
    const inline = (one: unknown, ancestors: readonly string[]): unknown => {
      if (Array.isArray(one)) return one.map((item) => inline(item, ancestors));
      if (!isObject(one)) return one;
      const { $ref: reference } = one;
      if (typeof reference === 'string' && reference.startsWith(EXAMPLES) && !ancestors.includes(reference)) {
        const target = this.at(reference);
        remaining -= 1;
        if (isObject(target) && 'value' in target && remaining >= 0)
          return inline(target.value, [...ancestors, reference]);
      }
      return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, inline(member, ancestors)]));
    };
    return inline(value, []);
  }

  #check(value: unknown, pointer: string): void {
    if (typeof value !== 'object' || value === null) return;
    if ('$ref' in value && typeof value.$ref === 'string') this.#follow(value.$ref, pointer);
    for (const [key, member] of Object.entries(value)) {
      if (!VALUES.includes(key) && !key.startsWith('x-')) this.#check(member, childPointer(pointer, key));
    }
  }

  #follow(reference: string, pointer: string, visited: readonly string[] = []): void {
    const where = `${printable(this.#name)}: the $ref "${excerpt(reference)}" at ${excerpt(pointer, 500)}`;
    if (!reference.startsWith('#')) {
      throw new ConfigurationError(
        `${where} refers to another document. External documents are not fetched. Bundle them into one file first, e.g. with npx @redocly/cli bundle.`,
      );
    }
    if (visited.includes(reference)) {
      throw new ConfigurationError(
        `${where} is circular: ${printable([...visited, reference].join(' → '))}.`,
      );
    }
    if (this.#resolved.has(reference)) return;
    if (visited.length > MAX_REFERENCE_CHAIN) {
      throw new ConfigurationError(`${where} is a chain of more than ${MAX_REFERENCE_CHAIN} references.`);
    }
    const target = this.at(reference);
    if (target === undefined) throw new ConfigurationError(`${where} cannot be resolved.`);
    for (const next of inlineReferences(target)) this.#follow(next, pointer, [...visited, reference]);
    this.#resolved.add(reference);
  }
}

/** Parses a reference into its tokens: a JSON Pointer as a URI fragment (RFC 6901, 6). */
export function tokensOf(reference: string): readonly string[] {
  return parsePointer(reference.slice(1)).map(decode);
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
