import { discard, describeValue, JsonModel, OWN_RESPONSE, type ViewModelClass } from '../../framework';

/**
 * Rejects a result that the response format cannot serialize: a stream or an iterator from an operation that declares
 * no stream, and a value that JSON would turn into `{}` or drop. Iterators and streams are discarded.
 * @param operation for the message
 * @param Model the view model of the response; JSON if it is not known
 * @throws TypeError that says what to return instead
 */
export function assertSerializable(result: unknown, operation: string, Model?: ViewModelClass): void {
  if (isPlainValue(result)) return;
  if (isIteratorOrStream(result)) {
    discard(result);
    throw new TypeError(
      `${operation} returned ${nameOf(result)}, but declares no stream. Declare stream: ['application/x-ndjson'] or ` +
        "['text/event-stream'] to send it item by item, return a Response to send bytes, or return a list.",
    );
  }
  const remedy = remedyFor(result, Model);
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

/** What JSON writes as an object without members, by its tag: its class is loaded when it is first named. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ...['Blob', 'File'].map((name) => [`[object ${name}]`, 'Return a Response with blob.stream().'] as const),
  ...['FormData', 'Headers', 'URLSearchParams'].map(
    (name) => [`[object ${name}]`, 'Return Object.fromEntries(…).'] as const,
  ),
]);

/** Returns what to do about a result that cannot be represented; undefined for one that can. */
function remedyFor(result: unknown, Model: ViewModelClass | undefined): string | undefined {
  if (typeof result === 'function' || typeof result === 'symbol')
    return 'Return a value that JSON can represent.';
  // Also of a Buffer, whose `toJSON` returns a list of numbers. The renderer of another format may send bytes.
  if (result instanceof Uint8Array || result instanceof ArrayBuffer)
    return isJson(Model) ? 'Return a Response to send bytes.' : undefined;
  if (typeof result === 'object' && result !== null && 'toJSON' in result) return undefined;
  if (result instanceof globalThis.Response) return OWN_RESPONSE;
  if (result instanceof Error) return 'Throw it instead, or throw a Problem to choose the error response.';
  if (result instanceof Map) return 'Return Object.fromEntries(map), or [...map.values()].';
  if (result instanceof Set) return 'Return [...set].';
  return isJson(Model) ? REMEDIES.get(Object.prototype.toString.call(result)) : undefined;
}

function isJson(Model: ViewModelClass = JsonModel): boolean {
  return Model === JsonModel || Model.prototype instanceof JsonModel;
}
