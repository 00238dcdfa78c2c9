import { Problem } from '../../framework';

/** Names the handler of what is documented before it is there. */
export const NOT_IMPLEMENTED = 'not-implemented';

/** Answers 501. */
export function notImplemented(): never {
  throw new Problem(501, 'This operation is documented, but not there yet.');
}
