import { isList, isObject, percentDecoded } from '../../../framework';

const REFERENCE = /\{\{(\d{1,3})\.([^{}]+)\}\}/g;
const ONLY_REFERENCE = /^\{\{(\d{1,3})\.([^{}]+)\}\}$/;

/** What can be nothing but a reference. Any other text is one if its member exists: names of columns have any characters. */
const PLAIN = /^[A-Za-z0-9_$-]+(?:\.[A-Za-z0-9_$-]+)*$/;

/** Parts between dots that the name of one member may have. */
const MAX_PARTS = 8;

/** Names with dots that are tried for one reference after shorter ones led to no member. */
const MAX_ALTERNATIVES = 64;

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
 * @param isStrict whether the text can have braces for nothing but references, as paths and header fields
 * @throws UnknownReference
 * @throws TooMuchInserted
 */
export function resolveText(
  text: string,
  results: readonly unknown[],
  allowance: Allowance,
  { encode = (inserted: string) => inserted, isStrict = false }: TextOptions = {},
): string {
  return text.replace(REFERENCE, (...match) => {
    const member = memberOf(results, match as [string], isStrict);
    if (member === undefined) return match[0];
    const inserted = encode(textOf(member));
    allowance.take(inserted.length);
    return inserted;
  });
}

interface TextOptions {
  readonly encode?: (text: string) => string;
  readonly isStrict?: boolean;
}

/** @returns undefined for a text that refers to nothing @throws UnknownReference */
function memberOf(
  results: readonly unknown[],
  [reference = '', number, path = '']: readonly string[],
  isStrict = false,
): unknown {
  const result = results[Number(number)];
  // In a path, other characters than those of URLs are percent-encoded; names may have their notation, too.
  const decoded = percentDecoded(path) ?? path;
  const member = valueAt(result, path.split('.')) ?? valueAt(result, decoded.split('.'));
  if (member !== undefined) return member.value;
  if (isStrict || PLAIN.test(path)) throw new UnknownReference(reference);
  return undefined;
}

/**
 * The member at a path, whose names may have dots: where several are possible, the first name is the shortest one that leads to
 * a member.
 * @param search how many other names than the shortest ones may be tried: a client could send thousands of them
 */
function valueAt(
  value: unknown,
  parts: readonly string[],
  from = 0,
  search = { left: MAX_ALTERNATIVES },
): { readonly value: unknown } | undefined {
  if (from === parts.length) return { value };
  if (typeof value !== 'object' || value === null) return undefined;
  const end = Math.min(parts.length, from + MAX_PARTS);
  let isAlternative = false;
  for (let to = from + 1; to <= end; to++) {
    const name = parts.slice(from, to).join('.');
    if (!Object.hasOwn(value, name)) continue;
    if (isAlternative && search.left-- <= 0) return undefined;
    const found = valueAt(Reflect.get(value, name), parts, to, search);
    if (found !== undefined) return found;
    isAlternative = true;
  }
  return undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
