import { isList, isObject } from '../../../framework';

const REFERENCE = /\{\{(\d{1,3})((?:\.[A-Za-z0-9_$-]+)+)\}\}/g;
const ONLY_REFERENCE = /^\{\{(\d{1,3})((?:\.[A-Za-z0-9_$-]+)+)\}\}$/;

/** A reference to a result or a member that does not exist. */
export class UnknownReference extends Error {
  constructor(reference: string) {
    super(`${reference} refers to a result or a member that does not exist`);
    this.name = 'UnknownReference';
  }
}

/** References that insert more than is allowed. */
export class TooMuchInserted extends Error {
  constructor() {
    super('inserts more of earlier results than the body of a request may have');
    this.name = 'TooMuchInserted';
  }
}

/** How many characters of earlier results references may still insert: they can multiply what a client sends. */
export class Allowance {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  /** @throws TooMuchInserted */
  take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new TooMuchInserted();
  }
}

/**
 * Replaces references to members of earlier results, such as `{{0.id}}`, in every string of a value. A string that is
 * nothing but a reference becomes the member itself, with its type.
 *
 * @param results bodies of the earlier results
 * @throws UnknownReference
 * @throws TooMuchInserted
 */
export function resolveReferences(
  value: unknown,
  results: readonly unknown[],
  allowance: Allowance,
): unknown {
  if (typeof value === 'string') {
    const only = ONLY_REFERENCE.exec(value);
    if (only === null) return resolveText(value, results, allowance);
    const member = memberOf(results, only);
    allowance.take(textOf(member).length);
    return member;
  }
  if (isList(value)) return value.map((item) => resolveReferences(item, results, allowance));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveReferences(item, results, allowance)]),
  );
}

/**
 * Replaces references in a text by the texts of members; by JSON for other values.
 *
 * @param encode formats what is inserted
 * @throws UnknownReference
 * @throws TooMuchInserted
 */
export function resolveText(
  text: string,
  results: readonly unknown[],
  allowance: Allowance,
  encode: (text: string) => string = (inserted) => inserted,
): string {
  return text.replace(REFERENCE, (...match) => {
    const inserted = encode(textOf(memberOf(results, match as [string])));
    allowance.take(inserted.length);
    return inserted;
  });
}

function memberOf(results: readonly unknown[], [reference, number, path = '']: readonly string[]): unknown {
  let value = results[Number(number)];
  for (const key of path.split('.').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      throw new UnknownReference(reference ?? '');
    value = Reflect.get(value, key);
  }
  return value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
