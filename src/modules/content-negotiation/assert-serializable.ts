import { discard, describeValue } from '../../framework';

/**
 * Refuses a result that nothing can be shown of: what comes piece by piece where one thing is to be shown, and what
 * has no members in JSON, where it would be `{}` or nothing at all. It is put away.
 * @param operation for the message
 * @throws TypeError that says what to do
 */
export function assertSerializable(result: unknown, operation: string): void {
  if (isUsual(result)) return;
  if (comesInPieces(result)) {
    discard(result);
    throw new TypeError(
      `${operation} returned ${nameOf(result)}, and declares no stream. Declare stream: ['application/x-ndjson'], or ` +
        "'text/event-stream', for what goes out item by item; return a Response for bytes; or return a list.",
    );
  }
  const remedy = remedyFor(result);
  if (remedy !== undefined) throw new TypeError(`${operation} returned ${describeValue(result)}. ${remedy}`);
}

/** Most results need no second look. What has `toJSON` says itself how it is shown. */
function isUsual(result: unknown): boolean {
  if (typeof result === 'function' || typeof result === 'symbol') return false;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return true;
  return Object.getPrototypeOf(result) === Object.prototype && !(Symbol.iterator in result);
}

function comesInPieces(result: unknown): result is object {
  if (typeof result !== 'object' || result === null) return false;
  if (Symbol.asyncIterator in result) return !('toJSON' in result);
  return Symbol.iterator in result && 'next' in result && typeof result.next === 'function';
}

function nameOf(result: object): string {
  if (Symbol.iterator in result) return 'a generator';
  return 'pipe' in result ? 'a stream of Node' : 'an async iterable';
}

/** What to do about a result that JSON would say nothing of; undefined for one that can be shown. */
function remedyFor(result: unknown): string | undefined {
  if (typeof result === 'function' || typeof result === 'symbol') return 'Return what JSON can hold.';
  if (typeof result === 'object' && result !== null && 'toJSON' in result) return undefined;
  if (result instanceof globalThis.Response)
    return "That of fetch cannot be sent: import { Response } from 'apidesc-platform', and return such a one.";
  if (result instanceof Error) return 'Throw it; an answer that tells what went wrong is a Problem.';
  if (result instanceof Map) return 'Return Object.fromEntries(map), or [...map.values()].';
  return result instanceof Set ? 'Return the list [...set].' : undefined;
}
