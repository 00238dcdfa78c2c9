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

/** A list or an object whose members are being written. */
interface OpenContainer {
  readonly members: Readonly<Record<string | number, unknown>>;
  /** Undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  /** The members so far, also those without JSON text. */
  read: number;
  isEmpty: boolean;
}

function opened(content: object): OpenContainer {
  const names = Array.isArray(content) ? undefined : Object.keys(content);
  const { length } = names ?? (content as readonly unknown[]);
  return { members: content as OpenContainer['members'], names, length, read: 0, isEmpty: true };
}

/** One generator for all levels: each chunk would pass through those of the levels around it. */
function* chunksOf(content: object, levels: number): Generator<string, void> {
  const around: OpenContainer[] = [];
  let container: OpenContainer | undefined = opened(content);
  let chunk = container.names === undefined ? '[' : '{';
  while (container !== undefined) {
    const { members, names } = container;
    if (container.read === container.length) {
      chunk += names === undefined ? ']' : '}';
      container = around.pop();
      continue;
    }
    const key = names?.[container.read] ?? container.read;
    container.read += 1;
    const member = members[key];
    const plain = applyToJson(member, key);
    const isOpened = around.length + 1 < levels && isSplittable(plain);
    // Values without JSON text are omitted from objects, and null in arrays.
    const text = isOpened ? '' : (textOf(plain) ?? (names === undefined ? 'null' : undefined));
    if (text === undefined) continue;
    if (!container.isEmpty) chunk += ',';
    container.isEmpty = false;
    if (names !== undefined) chunk += `${JSON.stringify(key)}:`;
    chunk += text;
    if (isOpened) {
      around.push(container);
      container = opened(plain);
      chunk += container.names === undefined ? '[' : '{';
    }
    // A conversion may take long, whatever its text.
    if (chunk.length >= CHUNK_CHARACTERS || plain !== member) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

/** Calls `toJSON` once, as `JSON.stringify` does. */
function applyToJson(value: unknown, key: string | number): unknown {
  return hasToJson(value) ? value.toJSON(String(key)) : value;
}

/** Serializes a value without calling its own `toJSON`; returns undefined for undefined and functions. */
function textOf(plain: unknown): string | undefined {
  const text: unknown = JSON.stringify(hasToJson(plain) ? { toJSON: () => plain } : plain);
  return typeof text === 'string' ? text : undefined;
}

/** `JSON.rawJSON` (Node 22) returns objects that have no class and are written as their text. */
const { isRawJSON } = JSON as { isRawJSON?: (value: unknown) => boolean };

function isSplittable(plain: unknown): plain is object {
  return Array.isArray(plain) || (isPlainObject(plain) && isRawJSON?.(plain) !== true);
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
