// Worker threads load this file as well: it does not import the framework, which would slow their start.

/** The function of SQL that formats a binary number as JSON, on each connection. */
export const NUMBER_FUNCTION = 'platform_json_number';

/**
 * Formats a number with the fewest digits that read as the same one. JSON functions of SQLite round numbers to 15 digits,
 * and the last of 17 digits of its `printf` is wrong for some (3.51).
 */
export function jsonNumber(value: number): string {
  // JSON has no infinity. Readers take it for this number.
  if (!Number.isFinite(value)) return value < 0 ? '-9e999' : '9e999';
  // With an exponent, as distinguishes it from an integer.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}
