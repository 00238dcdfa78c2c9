import { errorMessage } from '../../errors/error-message';
import { isPlainObject } from '../../values/config-object';
import { formatPointer } from '../../json/json-pointer';

/** Deeper than any legitimate response, and below the limit of `JSON.stringify`. */
const MAX_DEPTH = 2_000;

/** Characters from which a chunk is yielded: more than a list of statuses, or of fields, mostly has. */
const CHUNK_CHARACTERS = 1_024;

/**
 * Serializes content as `JSON.stringify` does, and undefined as `null`.
 * @throws TypeError with the reason and a JSON Pointer (RFC 6901) to the value that cannot be serialized
 */
export function jsonText(content: unknown): string {
  try {
    const text: unknown = JSON.stringify(content);
    // `JSON.stringify` returns undefined for undefined and for functions.
    return typeof text === 'string' ? text : 'null';
  } catch (error) {
    throw notJson(content, error);
  }
}

/**
 * Yields the same text in chunks, so that large content can be serialized cooperatively.
 * @param levels how many levels of plain objects and arrays are split: with 1, the members of the content, of which small
 *   ones are written together
 * @throws as {@link jsonText} does
 */
export function* jsonChunks(content: unknown, levels: number): Generator<string, void> {
  try {
    const plain = applyToJson(content, '');
    if (levels > 0 && isSplittable(plain)) yield* chunksOf(plain, levels);
    else yield textOf(plain) ?? 'null';
  } catch (error) {
    throw notJson(content, error);
  }
}

function* chunksOf(container: object, levels: number): Generator<string, void> {
  const isArray = Array.isArray(container);
  const members: Iterable<readonly [string | number, unknown]> = isArray
    ? container.entries()
    : Object.entries(container);
  let chunk = isArray ? '[' : '{';
  let separator = '';
  for (const [key, member] of members) {
    const plain = applyToJson(member, String(key));
    const name = isArray ? '' : `${JSON.stringify(key)}:`;
    if (levels > 1 && isSplittable(plain)) {
      yield chunk + separator + name;
      chunk = '';
      yield* chunksOf(plain, levels - 1);
    } else {
      // Values without JSON text are omitted from objects, and null in arrays.
      const text = textOf(plain) ?? (isArray ? 'null' : undefined);
      if (text === undefined) continue;
      chunk += separator + name + text;
      // A conversion may take long, whatever its text.
      if (chunk.length >= CHUNK_CHARACTERS || plain !== member) {
        yield chunk;
        chunk = '';
      }
    }
    separator = ',';
  }
  yield chunk + (isArray ? ']' : '}');
}

/** Calls `toJSON` once, as `JSON.stringify` does. */
function applyToJson(value: unknown, key: string): unknown {
  return hasToJson(value) ? value.toJSON(key) : value;
}

/** Serializes a value without calling its own `toJSON`; returns undefined for undefined and functions. */
function textOf(plain: unknown): string | undefined {
  const text: unknown = JSON.stringify(hasToJson(plain) ? { toJSON: () => plain } : plain);
  return typeof text === 'string' ? text : undefined;
}

function isSplittable(plain: unknown): plain is object {
  return Array.isArray(plain) || isPlainObject(plain);
}

function notJson(content: unknown, error: unknown): TypeError {
  const reason = reasonIn(content, '', []) ?? errorMessage(error);
  return new TypeError(`The response cannot be serialized as JSON: ${reason}.`, { cause: error });
}

/** An object on the path from the root to the current value. */
interface Ancestor {
  readonly value: object;
  readonly pointer: string;
}

/** Returns the first reason why a value cannot be serialized, in serialization order. */
function reasonIn(value: unknown, pointer: string, ancestors: readonly Ancestor[]): string | undefined {
  if (typeof value === 'bigint') {
    return `${describePointer(pointer)} is a BigInt, which JSON does not support. Use a number or a string`;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const same = ancestors.find((ancestor) => ancestor.value === value);
  if (same !== undefined)
    return `${describePointer(pointer)} is a circular reference to ${describePointer(same.pointer)}`;
  if (ancestors.length >= MAX_DEPTH) return `${describePointer(pointer.slice(0, 80))}… is nested too deeply`;
  try {
    return reasonInMembers(value, pointer, [...ancestors, { value, pointer }]);
  } catch (error) {
    return `${describePointer(pointer)} throws when it is read: ${String(error)}`;
  }
}

function reasonInMembers(value: object, pointer: string, ancestors: readonly Ancestor[]): string | undefined {
  if (hasToJson(value)) {
    const plain = value.toJSON(pointer.slice(pointer.lastIndexOf('/') + 1));
    return plain === value ? undefined : reasonIn(plain, pointer, ancestors);
  }
  for (const [name, member] of Object.entries(value)) {
    const reason = reasonIn(member, pointer + formatPointer([name]), ancestors);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether `JSON.stringify` calls `toJSON` of an object, which may be inherited, hidden, or that of a list. */
export function hasToJson(value: unknown): value is { toJSON(key?: string): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}

function describePointer(pointer: string): string {
  return pointer === '' ? 'the root' : pointer;
}
