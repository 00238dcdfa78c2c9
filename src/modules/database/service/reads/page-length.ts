import { problem } from '../../../../framework';
import type { Row } from '../../adapters/database-adapter';
import { lengthOf, MAX_PAGE } from '../../adapters/row-length';

/** Returns the first rows whose values have at most a number of characters and bytes, by default those of a page; at least one row. */
export function fittingRows(rows: readonly Row[], most = MAX_PAGE): readonly Row[] {
  let length = 0;
  for (const [at, row] of rows.entries()) {
    length += lengthOf(row);
    if (length > most && at > 0) return rows.slice(0, at);
  }
  return rows;
}

/** Returns the rows of a page whose number says what it begins and ends with. @throws Problem 400 for too long ones */
export function assertFitting(rows: readonly Row[]): readonly Row[] {
  if (fittingRows(rows).length === rows.length) return rows;
  const message = `is too large for these entities, which have more than 4 MiB: use a smaller one, or select fewer members with fields`;
  const errors = [{ parameter: 'page_size', message }];
  throw problem('bad_query', { names: ['page_size'] }, { extensions: { errors } });
}
