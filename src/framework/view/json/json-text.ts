import { formatPointer } from '../../json/json-pointer';

/** Deeper than any honest answer; `JSON.stringify` itself gives up somewhere beyond. */
const MAX_DEPTH = 2_000;

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
    throw notJson(content, error);
  }
}

/**
 * The same text in pieces, so that whoever writes something large can let others have their turn in between.
 * @param levels of plain objects and lists that are opened: with 1, each member of the content is a piece
 * @throws as {@link jsonText} does
 */
export function* jsonPieces(content: unknown, levels: number): Generator<string, void> {
  try {
    const plain = plainOf(content, '');
    if (levels > 0 && isOpen(plain)) yield* piecesOf(plain, levels);
    else yield textOf(plain) ?? 'null';
  } catch (error) {
    throw notJson(content, error);
  }
}

function* piecesOf(opened: object, levels: number): Generator<string, void> {
  const isList = Array.isArray(opened);
  const members: Iterable<readonly [string | number, unknown]> = isList
    ? opened.entries()
    : Object.entries(opened);
  let before = isList ? '[' : '{';
  for (const [key, member] of members) {
    const plain = plainOf(member, String(key));
    const name = isList ? '' : `${JSON.stringify(key)}:`;
    if (levels > 1 && isOpen(plain)) {
      yield before + name;
      yield* piecesOf(plain, levels - 1);
    } else {
      // What has no text is no member, and null in a list.
      const text = textOf(plain) ?? (isList ? 'null' : undefined);
      if (text === undefined) continue;
      yield before + name + text;
    }
    before = ',';
  }
  yield (before === ',' ? '' : before) + (isList ? ']' : '}');
}

/** What `toJSON` makes of a value; it is called once, whatever comes of it. */
function plainOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && hasToJson(value) ? value.toJSON(key) : value;
}

/** Undefined where there is none: of undefined itself, and of functions. */
function textOf(plain: unknown): string | undefined {
  const isAsked = typeof plain === 'object' && plain !== null && hasToJson(plain);
  const text: unknown = JSON.stringify(isAsked ? { toJSON: () => plain } : plain);
  return typeof text === 'string' ? text : undefined;
}

function isOpen(plain: unknown): plain is object {
  if (typeof plain !== 'object' || plain === null) return false;
  const prototype: unknown = Object.getPrototypeOf(plain);
  return Array.isArray(plain) || prototype === Object.prototype || prototype === null;
}

function notJson(content: unknown, error: unknown): TypeError {
  const reason = reasonIn(content, '', []) ?? (error instanceof Error ? error.message : String(error));
  return new TypeError(`The response cannot be written as JSON: ${reason}.`, { cause: error });
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
  if (before !== undefined) return `${place(pointer)} is a circular reference to ${place(before.pointer)}`;
  if (way.length >= MAX_DEPTH) return `${place(pointer.slice(0, 80))}… is nested too deeply`;
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
    const reason = reasonIn(member, pointer + formatPointer([name]), way);
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
