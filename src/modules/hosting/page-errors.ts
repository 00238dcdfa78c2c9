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
  return (query) => {
    const checked = validate(query);
    if ('errors' in checked) assertOther(checked.errors, paging);
    return checked;
  };
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
