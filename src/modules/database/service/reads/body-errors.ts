import {
  formatPointer,
  isObject,
  listOf,
  Problem,
  recoverFrom,
  type MaybePromise,
} from '../../../../framework';
import { failedValidation } from '../../../content-validation';
import { DatabaseError } from '../../adapters/database-error';

/**
 * Reads what a query in a body asks for: an error about a parameter of a URL is one about the member of its name.
 * @throws Problem 422
 */
export function readForBody<T>(read: () => MaybePromise<T>): MaybePromise<T> {
  return recoverFrom(read, convert);
}

function convert(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  if (error.code === 'bad_request' && error.cause instanceof DatabaseError)
    throw failedValidation([
      { pointer: '/filter', keyword: 'query', message: 'has a value that is out of range' },
    ]);
  if (error.code !== 'bad_query') throw error;
  throw failedValidation(
    listOf(error.extensions.errors)
      .filter(isObject)
      .map(({ parameter, message }: { readonly parameter?: unknown; readonly message?: unknown }) => ({
        pointer: formatPointer([String(parameter)]),
        keyword: 'query',
        message: String(message),
      })),
  );
}
