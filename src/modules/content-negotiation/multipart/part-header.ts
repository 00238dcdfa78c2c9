import type { Problem } from '../../../framework';
import { malformed } from './malformed';

/** Bytes of the header of one part, at most. */
export const MAX_HEADER_BYTES = 8_192;

/** A field name and a colon (RFC 5322, 2.2). */
const FIELD = /^[!-9;-~]+:[^\0\r\n]*$/;
/** What continues the field of the line before it (RFC 5322, 2.2.3). */
const FOLDED = /^[ \t][^\0\r\n]*$/;
const DISPOSITION = /^content-disposition:/i;

/**
 * Checks the header of a part, since the parser ignores what follows a line that it cannot read.
 * @param header its lines, without the empty one at the end
 * @throws Problem 400
 */
export function assertPartHeader(header: string): void {
  const lines = header === '' ? [] : header.split('\r\n');
  if (lines.some((line, at) => !FIELD.test(line) && !(at > 0 && FOLDED.test(line))))
    throw malformed('the header of a part has a line that is not a header field.');
  if (lines.filter((line) => DISPOSITION.test(line)).length > 1)
    throw malformed('a part has more than one Content-Disposition.');
}

/** Returns the problem with a header that is too long. */
export function headerTooLong(): Problem {
  return malformed(`the header of a part has more than ${MAX_HEADER_BYTES} bytes.`);
}
