import { discard } from '../../framework';

/**
 * Refuses a result that comes piece by piece where one thing is to be shown: as JSON it would be `{}`. It is put away.
 * @param operation for the message
 * @throws TypeError that says what to declare
 */
export function assertWhole(result: unknown, operation: string): void {
  if (typeof result !== 'object' || result === null || Array.isArray(result) || !comesInPieces(result))
    return;
  discard(result);
  throw new TypeError(
    `${operation} returned ${nameOf(result)}, and declares no stream. Declare stream: ['application/x-ndjson'], or ` +
      "'text/event-stream', for what goes out item by item; return a Response for bytes; or return a list.",
  );
}

/** What has `toJSON` says itself how it is shown; Sets and Maps, which are there as a whole, are the author's affair. */
function comesInPieces(result: object): boolean {
  if (Symbol.asyncIterator in result) return !('toJSON' in result);
  return Symbol.iterator in result && 'next' in result && typeof result.next === 'function';
}

function nameOf(result: object): string {
  if (Symbol.iterator in result) return 'a generator';
  return 'pipe' in result ? 'a stream of Node' : 'an async iterable';
}
