import { isUtf8 } from 'node:buffer';
import { ConfigurationError } from '../../../framework';

const LINE_FEED = 0x0a;

/**
 * Decodes the text of a migration. Other encodings would be stored as other characters, and SQLite ends a script at a
 * NUL character, without an error.
 * @param file for messages
 * @throws ConfigurationError for a text that is not UTF-8 or contains NUL, such as that of an editor that saves UTF-16
 */
export function migrationText(bytes: Buffer, file: string): string {
  const invalid = isUtf8(bytes) ? bytes.indexOf(0) : firstInvalid(bytes);
  if (invalid < 0) return bytes.toString();
  const line = bytes.subarray(0, invalid).toString('latin1').split('\n').length;
  const found = bytes[invalid] === 0 ? 'contains a NUL character' : 'is not UTF-8';
  throw new ConfigurationError(`${file}:${line}: ${found}. Save the file as UTF-8.`);
}

/** The index of the first line that is not UTF-8: a line feed is part of no other character. */
function firstInvalid(bytes: Buffer): number {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return start;
    start = end + 1;
  }
}
