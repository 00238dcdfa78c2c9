import fc from 'fast-check';
import { Validators } from '../../../../src/modules/content-validation';

const isMultiple = (multipleOf: number, value: unknown): boolean =>
  'value' in new Validators().asIs({ multipleOf })(value);

describe('multipleOf', () => {
  it.each([
    [0.01, [0, 0.07, 19.99, 4.35, -8.05, 1e22, 123456789012.34], [0.015, 0.001, -0.005, 1e-300]],
    [0.1, [0.3, 0.7, 1e300], [0.35, 123456789012.34]],
    [0.25, [1e300, 1.75], [0.3]],
    [3, [9007199254740990, 3e20, -9], [1e20, 9007199254740991, 4, 1.5]],
    [1e-7, [3e-7, 1, 0.0000012], [1.5e-7, 1e-8]],
    [0.123456789, [0.370370367], [1e308]],
    [1e300, [2e300, 0], [1, 1.5e300]],
  ])('divides decimal numbers: %d', (multipleOf, valid, invalid) => {
    expect(valid.filter((value) => !isMultiple(multipleOf, value))).toEqual([]);
    expect(invalid.filter((value) => isMultiple(multipleOf, value))).toEqual([]);
  });

  it('accepts all amounts of cents, and no others', () => {
    const cents = new Validators().asIs({ multipleOf: 0.01 });
    const amount = fc.integer({ min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 9 }), (whole, tenth) => {
        const text = `${whole < 0 ? '-' : ''}${String(Math.abs(whole)).padStart(3, '0')}`;
        const value = `${text.slice(0, -2)}.${text.slice(-2)}`;
        expect('value' in cents(Number(value))).toBe(true);
        expect('value' in cents(Number(`${value}${tenth}`))).toBe(false);
      }),
    );
  });

  it('allows values other than numbers, and reports the divisor', () => {
    expect(isMultiple(0.5, 'text')).toBe(true);
    expect(new Validators().asIs({ items: { multipleOf: 0.5, minimum: 1 } })([1, 1.25])).toEqual({
      errors: [{ pointer: '/1', keyword: 'multipleOf', message: 'must be multiple of 0.5' }],
    });
  });

  it('checks a list of 200,000 amounts within two seconds', () => {
    const list = Array.from({ length: 200_000 }, (_, at) => at / 100);
    const start = performance.now();
    expect(new Validators().asIs({ items: { multipleOf: 0.01 } })(list)).toHaveProperty('value');
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
