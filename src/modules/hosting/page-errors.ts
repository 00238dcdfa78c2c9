import { problem } from '../../framework';
import { parameterErrors, type ValidationError, type Validator } from '../content-validation';
import type { Paging } from './paging';

/** The parameters that say which page. A cursor is checked when it is read. */
const PARAMETERS: readonly string[] = ['/page', '/page_size'];

/**
 * A validator of queries that tells by errors of their own what is wrong with the page that is asked for. Where more
 * is wrong than that, all of it is told together.
 */
export function withPageErrors(validate: Validator, paging: Paging): Validator {
  const names = paging.byCursor ? ['page_size'] : ['page', 'page_size'];
  return (query) => {
    const checked = validate(query);
    // Most requests have no query at all.
    const odd =
      query instanceof URLSearchParams && query.size > 0 ? oddlyWritten(query, names, paging) : NOTHING;
    if (odd.length === 0 && 'value' in checked) return checked;
    const known = 'errors' in checked ? checked.errors : NOTHING;
    const errors = [...known, ...odd.filter(({ pointer }) => known.every((one) => one.pointer !== pointer))];
    assertOther(errors, paging);
    return { errors };
  };
}

const NOTHING: readonly ValidationError[] = [];

const DIGITS = /^\d+$/;

/** What else is a number to a query, such as 1e0 and +1, and what is so large that no offset could be told. */
function oddlyWritten(
  query: URLSearchParams,
  names: readonly string[],
  { maximum }: Paging,
): readonly ValidationError[] {
  return names.flatMap((name) => {
    const text = query.get(name) ?? '1';
    const isWritten = DIGITS.test(text);
    if (isWritten && Number.isSafeInteger(Number(text) * maximum)) return [];
    const message = isWritten ? 'is more than there can be' : 'must be integer';
    return [{ pointer: `/${name}`, keyword: 'type', message }];
  });
}

/** @throws Problem 400 where nothing is wrong but the page */
function assertOther(errors: readonly ValidationError[], { maximum: limit }: Paging): void {
  const [first] = errors;
  if (first === undefined || !PARAMETERS.includes(first.pointer)) return;
  if (errors.some(({ pointer }) => pointer !== first.pointer)) return;
  const told = parameterErrors(errors);
  const more = { extensions: { errors: told } };
  if (first.keyword === 'maximum') throw problem('page_size_exceeded', { limit }, more);
  throw problem('bad_page_number', { parameter: first.pointer.slice(1) }, more);
}
