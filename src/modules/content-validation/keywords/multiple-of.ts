import { _, str, type CodeKeywordDefinition } from 'ajv';

/** Quotients up to this one are rounded by less than {@link MAX_ERROR}. */
const MAX_QUOTIENT = 1e9;

const MAX_ERROR = 1e-6;

/**
 * Replaces Ajv's `multipleOf` (JSON Schema Validation, 6.2.1), with the same errors. Ajv divides in binary: it refuses 0.07 as a
 * multiple of 0.01, and numbers whose quotient is 1e21 or more, and accepts 1e20 as a multiple of 3.
 */
export const multipleOfKeyword: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  before: 'format',
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
  code(context) {
    const { gen, data, schemaCode } = context;
    context.pass(_`${gen.scopeValue('func', { ref: isMultipleOf })}(${data}, ${schemaCode})`);
  },
};

/** Whether a number is a multiple of another one, as JSON writes both: in decimal. */
function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const quotient = value / divisor;
  if (Math.abs(quotient) < MAX_QUOTIENT && Math.abs(quotient - Math.round(quotient)) > MAX_ERROR)
    return false;
  const [digits, exponent] = decimalOf(value);
  const [divisorDigits, divisorExponent] = decimalOf(divisor);
  const common = Math.min(exponent, divisorExponent);
  const scaled = (one: bigint, power: number): bigint => one * 10n ** BigInt(power - common);
  return scaled(digits, exponent) % scaled(divisorDigits, divisorExponent) === 0n;
}

/** Returns the digits of a number, and the power of ten by which they are multiplied. */
function decimalOf(value: number): readonly [bigint, number] {
  const [digits = '', exponent] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
