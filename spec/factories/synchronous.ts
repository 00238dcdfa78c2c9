import { isThenable, type MaybePromise } from '../../src/framework';

/** Returns a value that must not be a promise. @throws TypeError for a promise */
export function synchronous<T>(value: MaybePromise<T>): T {
  if (isThenable(value)) throw new TypeError('A promise was made where none is needed.');
  return value;
}
