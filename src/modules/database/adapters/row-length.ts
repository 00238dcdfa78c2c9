import type { Row } from './database-adapter';

/** Characters and bytes of the values of a page, which are converted and sent at once. */
export const MAX_PAGE = 4 * 1024 * 1024;

/** Characters of the results of several changes in one request, which are in memory until the response. */
export const MAX_RESULTS = 16 * 1024 * 1024;

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
 * The rows of a page, until they have more characters and bytes than it: at least two, so that the last one shows that the
 * page has no room for it.
 */
export class PageRows {
  readonly read: Row[] = [];
  #length = 0;

  get isFull(): boolean {
    return this.#length > MAX_PAGE && this.read.length > 1;
  }

  /** Keeps a row, unless the page is full. */
  add(row: Row): void {
    if (this.isFull) return;
    this.read.push(row);
    this.#length += lengthOf(row);
  }
}

/** Reads the rows of a page, and no further ones. @param page may have rows already */
export function rowsOfPage(rows: Iterable<unknown>, page = new PageRows()): readonly Row[] {
  for (const row of rows as Iterable<Row>) {
    page.add(row);
    if (page.isFull) break;
  }
  return page.read;
}

/** Returns the first rows whose values have at most a number of characters and bytes; at least one row. */
export function fittingRows(rows: readonly Row[], most: number): readonly Row[] {
  let length = 0;
  for (const [at, row] of rows.entries()) {
    length += lengthOf(row);
    if (length > most && at > 0) return rows.slice(0, at);
  }
  return rows;
}
