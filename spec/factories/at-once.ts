import { isThenable, type MaybePromise } from '../../src/framework';

/** The value itself, where no promise may be made. @throws TypeError when there is a promise */
export function atOnce<T>(value: MaybePromise<T>): T {
  if (isThenable(value)) throw new TypeError('A promise was made where none is needed.');
  return value;
}
