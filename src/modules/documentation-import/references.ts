import { printable, referencesInPlace, StartError } from '../../framework';
import { excerpt } from './excerpt';
import { below, isObject, type JsonObject } from './json';

/** Members that hold values of users, in which a `$ref` is a name like any other. */
const VALUES: readonly string[] = ['example', 'examples', 'default', 'enum', 'const'];

const EXAMPLES = '#/components/examples/';

/** Examples that one example may name, all together: each may name several, so that they multiply. */
const MOST_WRITTEN = 100;

/** References that lead to one another before anything stands there; nobody writes so many. */
const MOST_STEPS = 200;

/** What the `$ref`s of one document lead to. Nothing outside of it is ever fetched. */
export class References {
  readonly #document: JsonObject;
  readonly #name: string;
  /** References that were followed to their end. */
  readonly #sound = new Set<string>();

  /** @throws StartError for one that leads outside, nowhere, or back without a step into what is described */
  constructor(document: JsonObject, name: string) {
    this.#document = document;
    this.#name = name;
    this.#check(document, '#');
  }

  /** What stands at a place, or what that refers to. */
  resolve(value: unknown): JsonObject {
    const { $ref: reference } = isObject(value) ? value : {};
    if (typeof reference === 'string') return this.resolve(this.at(reference));
    return isObject(value) ? value : {};
  }

  /** What a reference leads to, which may be a reference itself. */
  at(reference: string): unknown {
    let value: unknown = this.#document;
    for (const token of tokensOf(reference)) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
      value = Reflect.get(value, token);
    }
    return value;
  }

  /**
   * An example with those written out that it names by a `$ref` into the document, as some do although a `$ref` in a
   * value is a name like any other (OpenAPI 3.1.1, 4.8.19); what leads elsewhere stays as it is, and so does what is
   * too much.
   */
  written(value: unknown): unknown {
    let left = MOST_WRITTEN;
    const write = (one: unknown, around: readonly string[]): unknown => {
      if (Array.isArray(one)) return one.map((item) => write(item, around));
      if (!isObject(one)) return one;
      const { $ref: reference } = one;
      if (typeof reference === 'string' && reference.startsWith(EXAMPLES) && !around.includes(reference)) {
        const target = this.at(reference);
        left -= 1;
        if (isObject(target) && 'value' in target && left >= 0)
          return write(target.value, [...around, reference]);
      }
      return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, write(member, around)]));
    };
    return write(value, []);
  }

  #check(value: unknown, pointer: string): void {
    if (typeof value !== 'object' || value === null) return;
    if ('$ref' in value && typeof value.$ref === 'string') this.#follow(value.$ref, pointer);
    for (const [key, member] of Object.entries(value)) {
      if (!VALUES.includes(key) && !key.startsWith('x-')) this.#check(member, below(pointer, key));
    }
  }

  #follow(reference: string, pointer: string, passed: readonly string[] = []): void {
    const where = `${printable(this.#name)}: the $ref "${excerpt(reference)}" at ${excerpt(pointer, 500)}`;
    if (!reference.startsWith('#')) {
      throw new StartError(
        `${where} leads to another document, which is not fetched. Put all into one file first, e.g. with npx @redocly/cli bundle.`,
      );
    }
    if (passed.includes(reference)) {
      throw new StartError(`${where} leads in a circle: ${printable([...passed, reference].join(' → '))}.`);
    }
    if (this.#sound.has(reference)) return;
    if (passed.length > MOST_STEPS) {
      throw new StartError(`${where} leads over more than ${MOST_STEPS} others.`);
    }
    const target = this.at(reference);
    if (target === undefined) throw new StartError(`${where} leads nowhere.`);
    for (const next of referencesInPlace(target)) this.#follow(next, pointer, [...passed, reference]);
    this.#sound.add(reference);
  }
}

/** The steps of a reference: a JSON Pointer as a fragment (RFC 6901, 6). */
export function tokensOf(reference: string): readonly string[] {
  return reference
    .slice(2)
    .split('/')
    .filter((token, at, all) => token !== '' || all.length > 1)
    .map((token) => decode(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
