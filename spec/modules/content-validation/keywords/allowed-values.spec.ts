import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020';
import { Validators } from '../../../../src/modules/content-validation';
import { createAjv, createReportingAjv } from '../../../../src/modules/content-validation/compile/ajv';
import { similarValue as value } from '../../../factories/database/similar-values';

/** Many more values than are compared one after another. */
const padding = Array.from({ length: 30 }, (_, at) => `value_${at}`);

describe.each(['accepting', 'reporting'])('values of an %s instance are compared as Ajv does', (which) => {
  const create = which === 'accepting' ? createAjv : createReportingAjv;
  // One instance: each would compile the metaschema.
  const ajv = new Ajv2020({ allErrors: which === 'reporting' });
  const assertSame = (schema: object, values: readonly unknown[]): void => {
    const validate = create({}).compile(schema);
    const own = ajv.compile(schema);
    for (const one of values) {
      expect(validate(one)).toBe(own(one));
      expect(validate.errors).toEqual(own.errors);
    }
  };

  it('with an enumeration', () => {
    const list = fc.array(value, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(list, list, fc.boolean(), (allowed, values, isLong) => {
        assertSame({ enum: isLong ? [...padding, ...allowed] : allowed }, [...values, ...allowed, 'value_7']);
      }),
      { numRuns: 150 },
    );
  });

  it('with a constant', () => {
    fc.assert(
      fc.property(value, value, (only, other) => {
        assertSame({ const: only }, [only, other]);
      }),
      { numRuns: 150 },
    );
  });

  it('in the same order as other keywords', () => {
    assertSame({ type: 'string', const: 'a', enum: ['b'], not: {}, anyOf: [false], minLength: 5 }, ['c']);
    assertSame({ const: [1], enum: [{ b: 1 }], not: {} }, ['c']);
  });
});

it('an enumeration needs values', () => {
  const reason = 'is an empty list; it must NOT have fewer than 1 items';
  expect(() => createAjv({}).compile({ enum: [] })).toThrow(`enum ${reason}`);
  const nested = { properties: { 'a/b': { items: { enum: [] } } } };
  expect(() => createAjv({}).compile(nested)).toThrow(`properties.a/b.items.enum ${reason}`);
});

it('objects are equal whatever the order of their members, also without a prototype', () => {
  const validate = createAjv({}).compile({ enum: [{ a: 1, b: [{ c: null }] }] });
  expect(validate({ b: [{ c: null }], a: 1 })).toBe(true);
  expect(validate(Object.assign(Object.create(null) as object, { a: 1, b: [{ c: null }] }))).toBe(true);
  expect(validate({ b: [{ c: null }], a: 1, d: 1 })).toBe(false);
  expect(validate(new Date(0))).toBe(false);
});

it.each([{ enum: [{ a: 1 }] }, { const: { a: 1 } }])(
  'members with the names of methods are members of %j',
  (schema) => {
    const validate = createAjv({}).compile(schema);
    for (const name of ['constructor', 'toString', 'valueOf']) expect(validate({ [name]: 1 })).toBe(false);
    const own = createAjv({}).compile({ enum: [{ valueOf: 1 }, { constructor: 2 }] });
    expect(own({ valueOf: 1 })).toBe(true);
    expect(own({ constructor: 2 })).toBe(true);
  },
);

it('reads each item once, however many objects are allowed', () => {
  const allowed = Array.from({ length: 500 }, (_, id) => ({ id }));
  const validate = createAjv({}).compile({ type: 'array', items: { enum: allowed } });
  const read = jest.fn();
  const items = Array.from({ length: 2000 }, (_, at) =>
    Object.defineProperty({}, 'id', { enumerable: true, get: () => (read(), at % 500) }),
  );
  expect(validate(items)).toBe(true);
  expect(read).toHaveBeenCalledTimes(2000);
});

it('compares no text with each of many values', () => {
  const allowed = Array.from({ length: 500 }, (_, at) => `value_${at}`);
  const iterate = jest.spyOn(allowed, Symbol.iterator as unknown as 'values');
  const validate = createAjv({}).compile({ type: 'array', items: { enum: allowed } });
  iterate.mockClear();
  expect(validate(Array.from({ length: 1000 }, (_, at) => `value_${at % 500}`))).toBe(true);
  expect(iterate).not.toHaveBeenCalled();
});

it('converts the texts of queries and forms to the type of many values', () => {
  const numbers = { type: 'integer', enum: Array.from({ length: 300 }, (_, at) => at) };
  const schema = { type: 'object', properties: { level: numbers, flag: { type: 'boolean', const: true } } };
  const validators = new Validators();
  expect(validators.forQuery(schema)(new URLSearchParams('level=299&flag=true'))).toEqual({
    value: { level: 299, flag: true },
  });
  expect(validators.forForm(schema)({ level: '7' })).toEqual({ value: { level: 7 } });
  expect(validators.forForm(schema)({ level: '300' })).toMatchObject({
    errors: [{ pointer: '/level', keyword: 'enum' }],
  });
});

it('a large value is not read as a whole for each constant', () => {
  const reads: string[] = [];
  const counted = (name: string, value: object): object =>
    new Proxy(value, {
      get: (target, member, receiver) => {
        reads.push(`${name}.${String(member)}`);
        return Reflect.get(target, member, receiver) as unknown;
      },
    });
  const schema = { anyOf: Array.from({ length: 30 }, (_, at) => ({ const: { kind: at, more: { a: 1 } } })) };
  const large = { kind: 'b', more: counted('more', Object.fromEntries(padding.map((name) => [name, 1]))) };
  expect(createAjv({}).compile(schema)(large)).toBe(false);
  const among = { enum: padding.map((name) => ({ name, more: { a: 1 } })) };
  expect(createAjv({}).compile(among)({ ...large, third: 1 })).toBe(false);
  expect(reads).toEqual([]);
});
