import type { Row } from './database-adapter';

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
