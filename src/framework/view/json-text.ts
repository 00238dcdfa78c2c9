/** Deeper than any honest answer; `JSON.stringify` itself gives up somewhere beyond. */
const DEEPEST = 2_000;

/**
 * Content as JSON text. Dates are written as JSON has them (RFC 3339, in UTC), undefined as null at the top and not
 * at all as a member, a Map or a Set as `{}`.
 * @throws TypeError that says what cannot be written, and where, as a JSON Pointer (RFC 6901)
 */
export function jsonText(content: unknown): string {
  try {
    const text: unknown = JSON.stringify(content);
    // Of undefined and of functions it makes no text at all.
    return typeof text === 'string' ? text : 'null';
  } catch (error) {
    const reason = reasonIn(content, '', []) ?? (error instanceof Error ? error.message : String(error));
    throw new TypeError(`The answer cannot be written as JSON: ${reason}.`, { cause: error });
  }
}

/** An object on the way from the top to what is looked at. */
interface Step {
  readonly what: object;
  readonly pointer: string;
}

/** Looks for what JSON has no form for, in the order in which it is written. */
function reasonIn(value: unknown, pointer: string, way: readonly Step[]): string | undefined {
  if (typeof value === 'bigint') {
    return `${place(pointer)} is a BigInt, which JSON has no form for: give a number or a string`;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const before = way.find(({ what }) => what === value);
  if (before !== undefined) return `${place(pointer)} leads back to ${place(before.pointer)}`;
  if (way.length >= DEEPEST) return `${place(pointer.slice(0, 80))}… is nested too deeply`;
  try {
    return reasonInMembers(value, pointer, [...way, { what: value, pointer }]);
  } catch (error) {
    return `${place(pointer)} throws when it is read: ${String(error)}`;
  }
}

function reasonInMembers(value: object, pointer: string, way: readonly Step[]): string | undefined {
  if (hasToJson(value)) {
    const plain = value.toJSON(pointer.slice(pointer.lastIndexOf('/') + 1));
    return plain === value ? undefined : reasonIn(plain, pointer, way);
  }
  for (const [name, member] of Object.entries(value)) {
    const reason = reasonIn(member, `${pointer}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`, way);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function hasToJson(value: object): value is { toJSON(key: string): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function place(pointer: string): string {
  return pointer === '' ? 'the whole' : pointer;
}
