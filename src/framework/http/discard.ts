import { Readable } from 'node:stream';
import { Response } from './response';

/**
 * Disposes of an unread stream, the stream of a Response, a generator, or another async iterable, so that its source is
 * closed. Errors are ignored: nobody reads the result.
 */
export function discard(value: unknown): void {
  const source = value instanceof Response ? value.body : value;
  if (source instanceof Readable) {
    source.on('error', () => undefined);
    source.destroy();
  } else if (source instanceof ReadableStream) {
    void source.cancel().catch(() => undefined);
  } else if (isGenerator(source) || isAsyncIterable(source)) {
    void Promise.resolve()
      .then(() => (isGenerator(source) ? source : source[Symbol.asyncIterator]()).return?.(undefined))
      .catch(() => undefined);
  }
}

/** Whether a value, or the body of a Response, is read bit by bit: it may read another one meanwhile. */
export function isReadLazily(value: unknown): boolean {
  const source = value instanceof Response ? value.body : value;
  return (
    source instanceof Readable ||
    source instanceof ReadableStream ||
    isGenerator(source) ||
    isAsyncIterable(source)
  );
}

function isGenerator(value: unknown): value is Generator | AsyncGenerator {
  if (typeof value !== 'object' || value === null) return false;
  const isIterator = Symbol.iterator in value || Symbol.asyncIterator in value;
  return isIterator && 'next' in value && 'return' in value && typeof value.return === 'function';
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
