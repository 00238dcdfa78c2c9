import { Readable } from 'node:stream';
import { Response } from './response';

/**
 * Puts away what nobody will read: a stream, one inside a Response, a generator. Left alone, it would keep open what
 * it reads from. What fails at that has no reader to tell of it.
 */
export function discard(value: unknown): void {
  const source = value instanceof Response ? value.body : value;
  if (source instanceof Readable) {
    source.on('error', () => undefined);
    source.destroy();
  } else if (source instanceof ReadableStream) {
    void source.cancel().catch(() => undefined);
  } else if (isGenerator(source)) {
    void Promise.resolve()
      .then(() => source.return(undefined))
      .catch(() => undefined);
  }
}

function isGenerator(value: unknown): value is Generator | AsyncGenerator {
  if (typeof value !== 'object' || value === null) return false;
  const isIterator = Symbol.iterator in value || Symbol.asyncIterator in value;
  return isIterator && 'next' in value && 'return' in value && typeof value.return === 'function';
}
