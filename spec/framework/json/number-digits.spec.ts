import fc from 'fast-check';
import { digitsOf, isDouble } from '../../../src/framework';
import { growthOf } from '../../factories/measure/cpu-time';

describe('the digits of a number', () => {
  it.each([
    ['0', '0'],
    ['-0.000e5', '0'],
    ['1500', '15e2'],
    ['-1.5E+3', '15e2'],
    ['0.00150', '15e-4'],
    ['15e-4', '15e-4'],
  ])('of %s are %s', (text, digits) => expect(digitsOf(text)).toBe(digits));

  it('are found in linear time, also with many zeros inside', () => {
    const read = (length: number) => isDouble(`1.${'0'.repeat(length)}1`);
    // Quadratic time would be 256 times as long.
    expect(growthOf(read, 1_000, 16_000)).toBeLessThan(64);
  });
});

describe('a number of a text', () => {
  it.each([
    '0',
    '-0.0',
    '0.1',
    '0.10',
    '0.10000000000000001',
    '0.1000000000000000055511151231257827',
    '9007199254740992',
    '1e300',
    '5e-324',
    '1.50e1',
    '123456789012345e10',
  ])('%s is a double', (text) => expect(isDouble(text)).toBe(true));

  it.each([
    '9007199254740993',
    '12345678901234567.123',
    '0.12345678901234567890',
    '9007199254740990.6',
    '3.3333333333333333',
    '1e400',
    '-1e400',
    '1e-400',
    `1.${'1'.repeat(200)}`,
  ])('%s is not a double', (text) => expect(isDouble(text)).toBe(false));

  it('is a double if a program prints one, with any number of digits', () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(doubles, fc.integer({ min: 17, max: 100 }), (number, digits) => {
        expect(isDouble(JSON.stringify(number))).toBe(true);
        expect(isDouble(number.toPrecision(digits))).toBe(true);
      }),
    );
  });

  it('is a double if it has at most 15 digits', () => {
    const mantissa = fc.integer({ min: -(10 ** 15 - 1), max: 10 ** 15 - 1 });
    fc.assert(
      fc.property(mantissa, fc.integer({ min: -290, max: 290 }), (number, exponent) => {
        expect(isDouble(`${number}e${exponent}`)).toBe(true);
      }),
    );
  });
});
