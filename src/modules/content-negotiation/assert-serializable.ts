import { discard, describeValue, OWN_RESPONSE } from '../../framework';

/**
 * Rejects a result that the response format cannot serialize: a stream or an iterator from an operation that declares
 * no stream, and a value that JSON would turn into `{}` or drop. Iterators and streams are discarded.
 * @param operation for the message
 * @throws TypeError that says what to return instead
 */
export function assertSerializable(result: unknown, operation: string): void {
  if (isPlainValue(result)) return;
  if (isIteratorOrStream(result)) {
    discard(result);
    throw new TypeError(
      `${operation} returned ${nameOf(result)}, but declares no stream. Declare stream: ['application/x-ndjson'] or ` +
        "['text/event-stream'] to send it item by item, return a Response to send bytes, or return a list.",
    );
  }
  const remedy = remedyFor(result);
  if (remedy !== undefined) throw new TypeError(`${operation} returned ${describeValue(result)}. ${remedy}`);
}

/** The fast path: most results are primitives, arrays or plain objects. */
function isPlainValue(result: unknown): boolean {
  if (typeof result === 'function' || typeof result === 'symbol') return false;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return true;
  return Object.getPrototypeOf(result) === Object.prototype && !(Symbol.iterator in result);
}

function isIteratorOrStream(result: unknown): result is object {
  if (typeof result !== 'object' || result === null) return false;
  if (Symbol.asyncIterator in result) return !('toJSON' in result);
  return Symbol.iterator in result && 'next' in result && typeof result.next === 'function';
}

function nameOf(result: object): string {
  if (Symbol.iterator in result) return 'a generator';
  return 'pipe' in result ? 'a Node.js stream' : 'an async iterable';
}

/** Returns what to do about a result that JSON cannot represent; undefined for one that it can. */
function remedyFor(result: unknown): string | undefined {
  if (typeof result === 'function' || typeof result === 'symbol')
    return 'Return a value that JSON can represent.';
  // Also of a Buffer, whose `toJSON` returns a list of numbers.
  if (result instanceof Uint8Array || result instanceof ArrayBuffer)
    return 'Return a Response to send bytes.';
  if (typeof result === 'object' && result !== null && 'toJSON' in result) return undefined;
  if (result instanceof globalThis.Response) return OWN_RESPONSE;
  if (result instanceof Error) return 'Throw it instead, or throw a Problem to choose the error response.';
  if (result instanceof Map) return 'Return Object.fromEntries(map), or [...map.values()].';
  return result instanceof Set ? 'Return [...set].' : undefined;
}
