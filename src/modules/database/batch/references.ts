import { isList, isObject, percentDecoded } from '../../../framework';

const REFERENCE = /\{\{(\d{1,3})\.([^{}]+)\}\}/g;
const ONLY_REFERENCE = /^\{\{(\d{1,3})\.([^{}]+)\}\}$/;

/** What can be nothing but a reference. Any other text is one if its member exists: names of columns have any characters. */
const PLAIN = /^[A-Za-z0-9_$-]+(?:\.[A-Za-z0-9_$-]+)*$/;

/** Parts between dots that the name of one member may have. */
const MAX_PARTS = 8;

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
    if (member === undefined) return value;
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
    const member = memberOf(results, match as [string]);
    if (member === undefined) return match[0];
    const inserted = encode(textOf(member));
    allowance.take(inserted.length);
    return inserted;
  });
}

/** @returns undefined for a text that refers to nothing @throws UnknownReference */
function memberOf(
  results: readonly unknown[],
  [reference = '', number, path = '']: readonly string[],
): unknown {
  let value = results[Number(number)];
  // In a path, other characters than those of URLs are percent-encoded.
  const parts = (percentDecoded(path) ?? path).split('.');
  for (let at = 0; at < parts.length;) {
    const name = typeof value === 'object' && value !== null ? nameAt(value, parts, at) : undefined;
    if (name === undefined) {
      if (PLAIN.test(path)) throw new UnknownReference(reference);
      return undefined;
    }
    value = Reflect.get(value as object, name);
    at += name.split('.').length;
  }
  return value;
}

/** The longest name of a member with which a path continues: it may have dots. */
function nameAt(value: object, parts: readonly string[], at: number): string | undefined {
  for (let size = Math.min(parts.length - at, MAX_PARTS); size > 0; size--) {
    const name = parts.slice(at, at + size).join('.');
    if (Object.hasOwn(value, name)) return name;
  }
  return undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
