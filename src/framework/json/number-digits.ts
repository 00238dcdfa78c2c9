/**
 * Returns the significant digits and the exponent of a JSON number, in one notation: `1500`, `1.5e3` and `15e2` have the
 * same. The sign does not count.
 */
export function digitsOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutEndZeros(digits);
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Returns digits without the zeros at their end. A regular expression would start again at each zero. */
export function withoutEndZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** The most digits with which JavaScript prints a number. */
const MAX_DIGITS = 100;

/**
 * Whether a number in JSON is one that a double has (IEEE 754): the double, printed with as many digits, is the same text.
 * So `0.1` and `0.10000000000000001` are, which some programs write, and `0.12345678901234567890` is not.
 */
export function isDouble(text: string): boolean {
  const number = Number(text);
  if (String(number) === text) return true;
  const digits = digitsOf(text);
  if (digits === '0') return true;
  const count = digits.indexOf('e');
  if (!Number.isFinite(number) || number === 0 || count > MAX_DIGITS) return false;
  return digitsOf(number.toPrecision(count)) === digits;
}
