import { Validators } from '../../../../src/modules/content-validation';
import { createAjv } from '../../../../src/modules/content-validation/compile/ajv';
import { LimitedAjv } from '../../../../src/modules/content-validation/compile/limited-ajv';
import { growthOf } from '../../../factories/measure/cpu-time';

type Keyword = 'anyOf' | 'oneOf';

const branch = (at: number) => ({
  type: 'object',
  properties: { kind: { const: `k${at}` }, [`of${at}`]: { type: 'integer' } },
  required: ['kind', `of${at}`],
  additionalProperties: false,
});
const union = (keyword: Keyword, size: number) => ({
  type: 'object',
  properties: { one: { [keyword]: Array.from({ length: size }, (_, at) => branch(at)) } },
});

function errorsOf(schema: object, value: unknown) {
  const checked = new Validators().forBody(schema)(value);
  return 'errors' in checked ? checked.errors : [];
}

describe.each<Keyword>(['anyOf', 'oneOf'])('%s', (keyword) => {
  it('accepts what one of thousands of objects does, and reports the errors of that which is meant', () => {
    const validate = new Validators().forBody(union(keyword, 2_500));
    for (const at of [0, 2_499]) {
      const one = { kind: `k${at}`, [`of${at}`]: 5 };
      expect(validate({ one })).toEqual({ value: { one } });
      expect(validate({ one: { ...one, [`of${at}`]: 'x' } })).toEqual({
        errors: [{ pointer: `/one/of${at}`, keyword: 'type', message: 'must be integer' }],
      });
    }
    expect(validate({ one: { kind: 'k2500' } })).toHaveProperty('errors.0.pointer', '/one/kind');
  });

  it('is compiled in time proportional to its branches', () => {
    const compile = (size: number) => errorsOf(union(keyword, size), { one: { kind: 'k0', of0: 1 } });
    // Nested, eight times as many branches take far more than thirty times as long.
    expect(growthOf(compile, 50, 400)).toBeLessThan(30);
  });

  it('calls the instance for no branch that removes nothing', () => {
    const methods = Object.getOwnPropertyNames(LimitedAjv.prototype).filter((name) => name !== 'constructor');
    const ajv = createAjv({});
    const calls: string[] = [];
    for (const name of methods)
      Object.defineProperty(ajv, name, { value: () => calls.push(name), configurable: true });
    const validate = ajv.compile({ [keyword]: [{ type: 'null' }, { type: 'string' }] });
    expect(validate('x')).toBe(true);
    expect(calls.filter((name) => name !== 'addError')).toEqual([]);
  });

  it('may refer to a branch by its position', () => {
    const schema = {
      type: 'object',
      properties: {
        one: { [keyword]: [branch(0), branch(1)] },
        other: { $ref: `#/properties/one/${keyword}/1` },
      },
    };
    expect(errorsOf(schema, { one: { kind: 'k0', of0: 1 }, other: { kind: 'k1', of1: 1 } })).toEqual([]);
    expect(errorsOf(schema, { other: { kind: 'k0', of0: 1 } })).not.toEqual([]);
  });

  it('evaluates the members of each branch that matches', () => {
    const parts = [
      { properties: { a: { type: 'integer' } }, required: ['a'] },
      { properties: { b: { type: 'integer' } }, required: ['b'] },
      { properties: { c: { type: 'integer' } }, required: ['c'] },
    ];
    const schema = { type: 'object', [keyword]: parts, unevaluatedProperties: false };
    expect(errorsOf(schema, { b: 1 })).toEqual([]);
    expect(errorsOf(schema, { b: 1, d: 1 })).not.toEqual([]);
    expect(errorsOf(schema, { a: 1, c: 1 }).length > 0).toBe(keyword === 'oneOf');
  });
});

it('oneOf accepts what exactly one branch does, wherever it is', () => {
  const isValid = (branches: readonly unknown[], value: unknown) =>
    errorsOf({ oneOf: branches }, value).length === 0;
  const branches = [{ type: 'string' }, { minimum: 5 }, { maximum: 9 }];
  expect([4, 7, 10].map((value) => isValid(branches, value))).toEqual([true, false, true]);
  expect([4, 7, 10].map((value) => isValid([...branches, true], value))).toEqual([false, false, false]);
  expect([4, 7, 10].map((value) => isValid([true, ...branches], value))).toEqual([false, false, false]);
  expect(isValid([false, true, false], 4)).toBe(true);
});
