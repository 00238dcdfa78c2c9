import { hasToJson } from '../../framework';

/** No legitimate chain of `toJSON` calls is this long. */
const MAX_CHAIN = 100;

/**
 * Converts the top level of a value to what JSON.stringify would write. Follows chains of `toJSON`, which
 * `JSON.stringify` does not: it calls `toJSON` once and ignores that of the returned object.
 * @throws TypeError if the chain does not end
 */
export function toPlain(value: unknown): unknown {
  let plain = value;
  for (let calls = 0; hasToJson(plain); calls++) {
    const next = plain.toJSON();
    if (next === plain) break;
    if (calls === MAX_CHAIN) throw new TypeError('toJSON keeps returning new objects with a toJSON method.');
    plain = next;
  }
  return plain;
}
