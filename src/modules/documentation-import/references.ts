import { StartError } from '../../framework';
import { below, isObject, type JsonObject } from './json';

/** Members that hold values of users, in which a `$ref` is a name like any other. */
const VALUES: readonly string[] = ['example', 'examples', 'default', 'enum', 'const'];

/** What the `$ref`s of one document lead to. Nothing outside of it is ever fetched. */
export class References {
  readonly #document: JsonObject;
  readonly #name: string;

  /** @throws StartError for one that leads outside, nowhere, or only to others that lead back */
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

  #check(value: unknown, pointer: string): void {
    if (typeof value !== 'object' || value === null) return;
    if ('$ref' in value && typeof value.$ref === 'string') this.#follow(value.$ref, pointer);
    for (const [key, member] of Object.entries(value)) {
      if (!VALUES.includes(key) && !key.startsWith('x-')) this.#check(member, below(pointer, key));
    }
  }

  #follow(reference: string, pointer: string, passed: readonly string[] = []): void {
    const where = `${this.#name}: the $ref "${reference}" at ${pointer}`;
    if (!reference.startsWith('#')) {
      throw new StartError(
        `${where} leads to another document, which is not fetched. Put all into one file first, e.g. with npx @redocly/cli bundle.`,
      );
    }
    if (passed.includes(reference)) {
      throw new StartError(`${where} leads in a circle: ${[...passed, reference].join(' → ')}.`);
    }
    const target = this.at(reference);
    if (target === undefined) throw new StartError(`${where} leads nowhere.`);
    if (isObject(target) && typeof target.$ref === 'string') {
      this.#follow(target.$ref, pointer, [...passed, reference]);
    }
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
