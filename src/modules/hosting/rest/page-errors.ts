import { problem } from '../../../framework';
import {
  parameterErrors,
  type QueryReader,
  type ValidationError,
  type Validator,
} from '../../content-validation';
import type { Paging } from './paging';

/**
 * Wraps a query validator to report page parameters with their own error codes. If other parameters are invalid
 * too, all errors are reported together.
 */
export function withPageErrors(validate: Validator, paging: Paging): Validator {
  const names = parametersOf(paging);
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

/** The parameters with numbers. A cursor is checked when it is decoded. */
function parametersOf({ byCursor }: Paging): readonly string[] {
  return byCursor ? ['page_size'] : ['page', 'page_size'];
}

const NOTHING: readonly ValidationError[] = [];

const DIGITS = /^\d+$/;

const TOO_LARGE = 'is too large';

/** What is wrong with the number itself. */
const NUMBER_KEYWORDS: ReadonlySet<string> = new Set(['type', 'minimum', 'maximum']);

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
    const message = isInteger ? TOO_LARGE : 'must be integer';
    return [{ pointer: `/${name}`, keyword: 'type', message }];
  });
}

/** @throws Problem 400 if only one page parameter is invalid, as a number */
function throwPageProblem(errors: readonly ValidationError[], paging: Paging): void {
  const [first] = errors;
  const parameter = parametersOf(paging).find((name) => first?.pointer === `/${name}`);
  if (first === undefined || parameter === undefined) return;
  if (errors.some(({ pointer, keyword }) => pointer !== first.pointer || !NUMBER_KEYWORDS.has(keyword)))
    return;
  const options = { extensions: { errors: parameterErrors(errors) } };
  if (first.keyword === 'maximum') throw problem('page_size_exceeded', { limit: paging.maximum }, options);
  const isTooLarge = first.message === TOO_LARGE;
  throw problem('bad_page_number', { parameter, isTooLarge }, options);
}
