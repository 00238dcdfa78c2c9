import { closingQuote, isDouble } from '../../../framework';
import { pointerAt } from './nesting';

/** Numbers of up to 15 digits are doubles (IEEE 754). */
const MIN_DIGITS = 16;

/** A string, or a number with as many digits, or with an exponent as very large and small ones have. */
const SUSPICIOUS = /"|\d[\d.]{15,}(?:[eE][+-]?\d+)?|\d[\d.]*[eE][+-]?\d{3,}/g;

/** More are not reported. */
const MAX_POINTERS = 10;

/**
 * Returns JSON Pointers to the numbers of a well-formed JSON text that were rounded when it was parsed, such as
 * `12345678901234567.123`. Most texts cost one search.
 *
 * @param bytes in UTF-8
 */
export function roundedNumbers(bytes: Buffer): readonly string[] {
  if (!isSuspicious(bytes)) return NONE;
  const text = bytes.toString();
  const pointers: string[] = [];
  SUSPICIOUS.lastIndex = 0;
  for (let found = SUSPICIOUS.exec(text); found !== null; found = SUSPICIOUS.exec(text)) {
    const { 0: token, index: at } = found;
    if (token === '"') SUSPICIOUS.lastIndex = closingQuote(text, at) + 1;
    else if (!isDouble(token) && pointers.push(pointerAt(text, at)) === MAX_POINTERS) return pointers;
  }
  return pointers;
}

/** Whether a text may have a number that is not a double. Digits are single bytes, which no other character contains. */
function isSuspicious(bytes: Buffer): boolean {
  let digits = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isDigit(byte) || byte === POINT) {
      if (++digits === MIN_DIGITS) return true;
      continue;
    }
    // "E" differs from "e" in one bit.
    if (digits > 0 && (byte | 0x20) === E && isLargeExponent(bytes, at + 1)) return true;
    digits = 0;
  }
  return false;
}

const [PLUS, MINUS, POINT, ZERO, NINE, E] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x65];

/** Whether three digits follow, after a sign. */
function isLargeExponent(bytes: Buffer, from: number): boolean {
  const start = bytes[from] === PLUS || bytes[from] === MINUS ? from + 1 : from;
  return [0, 1, 2].every((digit) => isDigit(bytes[start + digit]));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

const NONE: readonly string[] = Object.freeze([]);
