import { problem } from '../../../framework';
import {
  parameterErrors,
  type QueryReader,
  type ValidationError,
  type Validator,
} from '../../content-validation';
import type { Paging } from './paging';

/** The page parameters. A cursor is checked when it is decoded. */
const PARAMETERS: readonly string[] = ['/page', '/page_size'];

/**
 * Wraps a query validator to report page parameters with their own error codes. If other parameters are invalid
 * too, all errors are reported together.
 */
export function withPageErrors(validate: Validator, paging: Paging): Validator {
  const names = paging.byCursor ? ['page_size'] : ['page', 'page_size'];
  return (query) => {
    const checked = validate(query);
    // Most requests have no query.
    const invalid =
      query instanceof URLSearchParams && query.size > 0 ? pageNumberErrors(query, names, paging) : NOTHING;
    if (invalid.length === 0 && 'value' in checked) return checked;
    const known = 'errors' in checked ? checked.errors : NOTHING;
    const errors = [
      ...known,
      ...invalid.filter(({ pointer }) => known.every((one) => one.pointer !== pointer)),
    ];
    throwPageProblem(errors, paging);
    return { errors };
  };
}

/** Leaves pages whose offset cannot be computed to {@link withPageErrors}. A reader only reads digits as an integer. */
export function withExactPages(read: QueryReader, { byCursor, maximum }: Paging): QueryReader {
  const isExact = (number: unknown): boolean =>
    typeof number !== 'number' || Number.isSafeInteger(number * maximum);
  return (query) => {
    const values = read(query);
    return values !== undefined && isExact(values.page_size) && (byCursor || isExact(values.page))
      ? values
      : undefined;
  };
}

const NOTHING: readonly ValidationError[] = [];

const DIGITS = /^\d+$/;

/** Rejects other number notations, such as 1e0 and +1, and numbers too large to compute an offset. */
function pageNumberErrors(
  query: URLSearchParams,
  names: readonly string[],
  { maximum }: Paging,
): readonly ValidationError[] {
  return names.flatMap((name) => {
    const text = query.get(name) ?? '1';
    const isInteger = DIGITS.test(text);
    if (isInteger && Number.isSafeInteger(Number(text) * maximum)) return [];
    const message = isInteger ? 'is too large' : 'must be integer';
    return [{ pointer: `/${name}`, keyword: 'type', message }];
  });
}

/** @throws Problem 400 if only one page parameter is invalid */
function throwPageProblem(errors: readonly ValidationError[], { maximum: limit }: Paging): void {
  const [first] = errors;
  if (first === undefined || !PARAMETERS.includes(first.pointer)) return;
  if (errors.some(({ pointer }) => pointer !== first.pointer)) return;
  const parameters = parameterErrors(errors);
  const options = { extensions: { errors: parameters } };
  if (first.keyword === 'maximum') throw problem('page_size_exceeded', { limit }, options);
  throw problem('bad_page_number', { parameter: first.pointer.slice(1) }, options);
}
