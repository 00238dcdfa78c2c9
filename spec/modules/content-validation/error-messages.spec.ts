import { failedValidation, parameterErrors, Validators } from '../../../src/modules/content-validation';
import { growthOf } from '../../factories/measure/cpu-time';

type Errors = readonly { readonly pointer: string; readonly keyword: string; readonly message: string }[];

const validators = new Validators();

function errorsOf(schema: object, value: unknown): Errors {
  const checked = validators.forBody(schema)(value);
  return 'errors' in checked ? checked.errors : [];
}

function messageOf(schema: object, value: unknown): string | undefined {
  return errorsOf(schema, value).at(-1)?.message;
}

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `value_${at}`);

describe('the message of a value that is not one of many', () => {
  const first = names(20).join(', ');

  it('lists the first values, and counts the others', () => {
    expect(messageOf({ enum: names(20) }, 'a')).toBe(`must be one of: ${first}`);
    expect(messageOf({ enum: names(5000) }, 'a')).toBe(`must be one of: ${first} … and 4980 more`);
  });

  it('is the same for a union of literals', () => {
    const union = { anyOf: names(50).map((one) => ({ const: one })) };
    expect(messageOf(union, 'a')).toBe(`must be one of: ${first} … and 30 more`);
  });

  it('is the same for the names of an order', () => {
    const order = { type: 'string', 'x-sort-by': names(21) };
    expect(messageOf(order, 'a')).toBe(
      `must be a comma-separated list of: ${first} … and 1 more; each at most once, prefixed with "-" for descending order`,
    );
  });

  it('has the beginning of a long value, and as many values as fit', () => {
    const long = 'x'.repeat(5000);
    expect(messageOf({ enum: [long, 'b'] }, 'a')).toBe(`must be one of: ${'x'.repeat(500)}… … and 1 more`);
    expect(messageOf({ enum: ['b', { long }] }, 'a')).toBe('must be one of: b … and 1 more');
    const middle = Array.from({ length: 4 }, (_, at) => `${at}`.repeat(200));
    expect(messageOf({ enum: middle }, 'a')).toBe(
      `must be one of: ${middle.slice(0, 2).join(', ')} … and 2 more`,
    );
  });
});

describe('long texts of a schema are shortened in messages', () => {
  const long = 'x'.repeat(5000);

  it('of a constant', () => {
    expect(messageOf({ const: long }, 'a')).toBe(`must be "${'x'.repeat(499)}…`);
    expect(messageOf({ const: { long } }, 'a')).toBe(`must be {"long":"${'x'.repeat(491)}…`);
    expect(messageOf({ const: 'b c' }, 'a')).toBe('must be "b c"');
  });

  it('of a pattern and of dependent members', () => {
    const pattern = messageOf({ type: 'string', pattern: `^${long}$` }, 'a');
    expect(pattern).toBe(`must match pattern "^${'x'.repeat(479)}…`);
    const dependent = messageOf({ dependentRequired: { a: names(500) } }, { a: 1 });
    expect(dependent).toMatch(/^must have properties value_0, .*…$/);
    expect(dependent).toHaveLength(501);
  });
});

describe('the errors of a response', () => {
  it('have a limited size in total, also with long locations', () => {
    const sizeOf = (errors: Errors): number =>
      Buffer.byteLength(JSON.stringify(failedValidation(errors).extensions.errors));
    const items = Array.from({ length: 2000 }, () => 'a');
    const listed = sizeOf(errorsOf({ type: 'array', items: { enum: names(5000) } }, items));
    expect(listed).toBeGreaterThan(200_000);
    expect(listed).toBeLessThanOrEqual(256 * 1024 + 2);
    const located = { pointer: `/${'é'.repeat(499)}`, keyword: 'type', message: 'must be string' };
    expect(sizeOf(Array.from({ length: 1000 }, () => located))).toBeLessThanOrEqual(256 * 1024 + 2);
  });

  it('are at least one', () => {
    const error = { pointer: '', keyword: 'author', message: 'x'.repeat(300_000) };
    const failed = failedValidation([error, error]);
    expect(failed.extensions.errors).toEqual([error]);
    expect(failed.detail).toBe('The body has 2 errors; see the first in "errors".');
  });

  it('have a limited size for a query, too', () => {
    const branches = Array.from({ length: 1500 }, (_, at) => ({
      pointer: '/filter',
      keyword: 'pattern',
      message: `must match pattern "${'x'.repeat(460)}${at}"`,
    }));
    expect(parameterErrors(branches)).toHaveLength(1);
    expect(JSON.stringify(parameterErrors(branches)).length).toBeLessThan(256 * 1024);
    const others = Array.from({ length: 5000 }, (_, at) => ({ ...branches[0], pointer: `/name_${at}` }));
    expect(JSON.stringify(parameterErrors(others as unknown as Errors)).length).toBeLessThan(256 * 1024);
  });

  it('of a union of many literals take time in proportion to it', () => {
    const unions = [150, 1200].map((count) => {
      const schema = { anyOf: names(count).map((one) => ({ const: one })) };
      return [count, validators.forBody(schema)] as const;
    });
    const validate = new Map(unions);
    // Quadratic time would be 64 times as long.
    expect(growthOf((count) => validate.get(count)?.('a'), 150, 1200)).toBeLessThan(24);
  });
});
