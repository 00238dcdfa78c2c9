import type { Row } from './database-adapter';

/** Characters and bytes of the values of a page, which are converted and sent at once. */
const MAX_PAGE = 4 * 1024 * 1024;

// Worker threads load this file as well: it does not import the framework, which would slow their start.

/**
 * The length of the texts and bytes of a row, which decides how many rows are read at once: batches of large rows
 * have few of them.
 */
export function lengthOf(row: Row): number {
  let length = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string' || value instanceof Uint8Array) length += value.length;
  }
  return length;
}

/**
 * Reads rows until they have more characters and bytes than a page: at least two, so that the last one shows that the page
 * has no room for it.
 */
export function rowsOfPage(rows: Iterable<unknown>): readonly Row[] {
  const read: Row[] = [];
  let length = 0;
  for (const row of rows as Iterable<Row>) {
    read.push(row);
    length += lengthOf(row);
    if (length > MAX_PAGE && read.length > 1) break;
  }
  return read;
}

/** Returns the first rows whose values have at most a number of characters and bytes, by default those of a page; at least one row. */
export function fittingRows(rows: readonly Row[], most = MAX_PAGE): readonly Row[] {
  let length = 0;
  for (const [at, row] of rows.entries()) {
    length += lengthOf(row);
    if (length > most && at > 0) return rows.slice(0, at);
  }
  return rows;
}
