/** More than any honest chain of `toJSON` has. */
const MAX_CHAIN = 100;

/**
 * What a value is as JSON, at its top: `JSON.stringify` calls `toJSON` once, and writes what that returns as an
 * object of whatever class, even where it has a `toJSON` of its own. Members are left to it.
 * @throws TypeError where that never ends
 */
export function toPlain(value: unknown): unknown {
  let plain = value;
  for (let calls = 0; hasToJson(plain); calls++) {
    const next = plain.toJSON();
    if (next === plain) break;
    if (calls === MAX_CHAIN) throw new TypeError('toJSON returns ever new objects that have a toJSON.');
    plain = next;
  }
  return plain;
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}
