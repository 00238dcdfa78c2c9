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

/**
 * Replaces references to members of earlier results, such as `{{0.id}}`, in every string of a value. A string that is
 * nothing but a reference becomes the member itself, with its type.
 *
 * @param results bodies of the earlier results
 * @param encode formats a member within a longer string
 * @throws UnknownReference
 */
export function resolveReferences(
  value: unknown,
  results: readonly unknown[],
  encode: (text: string) => string = (text) => text,
): unknown {
  if (typeof value === 'string') {
    const only = ONLY_REFERENCE.exec(value);
    if (only !== null) return memberOf(results, only);
    return value.replace(REFERENCE, (...match) => encode(textOf(memberOf(results, match as [string]))));
  }
  if (isList(value)) return value.map((item) => resolveReferences(item, results, encode));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveReferences(item, results, encode)]),
  );
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
