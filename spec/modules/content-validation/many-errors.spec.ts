import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020';
import { failedValidation, Validators } from '../../../src/modules/content-validation';
import { growthOf } from '../../factories/measure/cpu-time';
import { SchemaCompiler } from '../../../src/modules/content-validation/compile/schema-compiler';

/** A schema that refers to itself becomes a function, whose errors are added to the earlier ones. */
const schema = {
  $ref: '#/$defs/Item',
  $defs: {
    Item: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        parts: { type: 'array', items: { $ref: '#/$defs/Item' } },
        other: { anyOf: [{ $ref: '#/$defs/Item' }, { type: ['string', 'array'], maxItems: 0 }] },
      },
      required: ['name'],
    },
  },
};

describe('many errors', () => {
  it('of recursive schemas are those of Ajv', () => {
    const { accepts, errorsOf } = new SchemaCompiler({}).compile(schema)();
    const own = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
    const { item } = fc.letrec((tie) => ({
      item: fc.record(
        {
          name: fc.constantFrom('', 'a', 1),
          parts: fc.array(tie('item'), { maxLength: 3 }),
          other: fc.oneof({ depthSize: 'small' }, fc.constantFrom('a', 1), tie('item')),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    }));
    fc.assert(
      fc.property(item, item, (first, second) => {
        for (const value of [first, second, first]) {
          expect(accepts(value)).toBe(own(value));
          if (own.errors) expect(errorsOf(value)).toEqual(own.errors);
        }
      }),
    );
  });

  it('are appended, not copied for each further one', () => {
    const { errorsOf } = new SchemaCompiler({}).compile(schema)();
    const body = { name: 'a', parts: Array.from({ length: 3000 }, () => ({})) };
    errorsOf(body);
    const concat = jest.spyOn(Array.prototype, 'concat');
    try {
      expect(errorsOf(body)).toHaveLength(3000);
      expect(concat).not.toHaveBeenCalled();
    } finally {
      concat.mockRestore();
    }
  });

  it('are listed up to a limit, and counted', () => {
    const error = { pointer: '/parts', keyword: 'type', message: 'must be object' };
    const few = failedValidation([error, error]);
    expect(few.detail).toBe('The body has 2 errors; see "errors".');
    const many = failedValidation(Array.from({ length: 2000 }, () => error));
    expect(many.detail).toBe('The body has 2000 errors; see the first in "errors".');
    expect(many.extensions.errors).toHaveLength(1000);
  });

  describe('of items that each lack many members', () => {
    const names = Array.from({ length: 200 }, (_, at) => `member_${at}`);
    const wide = { type: 'object', required: names };
    const items = Array.from({ length: 20_000 }, () => ({}));
    const errorsOf = (item: object, value: unknown[]): readonly object[] | undefined => {
      const checked = new Validators().forBody({ type: 'array', items: item, $defs: { wide } })(value);
      return 'errors' in checked ? checked.errors : undefined;
    };

    it('are found up to a limit, also in schemas that others refer to', () => {
      for (const item of [wide, { $ref: '#/$defs/wide' }]) {
        const errors = errorsOf(item, items);
        expect(errors).toHaveLength(10_000);
        expect(errors?.[0]).toEqual({ pointer: '/0/member_0', keyword: 'required', message: 'is required' });
        expect(errors?.at(-1)).toMatchObject({ pointer: '/49/member_199' });
      }
    });

    it('do not count if another branch of a union is valid, however many they are', () => {
      const item = { anyOf: [wide, { type: 'object', properties: { a: { type: 'string' } } }] };
      expect(errorsOf(item, items)).toBeUndefined();
      const errors = errorsOf(item, [...items, { a: 1 }]);
      expect(errors).toContainEqual({ pointer: '/20000/a', keyword: 'type', message: 'must be string' });
      expect(errors?.every((one) => 'pointer' in one && String(one.pointer).startsWith('/20000'))).toBe(true);
    });
  });

  it('below a long name have the location of the nearest value with a short one, and take linear time', () => {
    const lists = { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } };
    const validate = new Validators().forBody({ type: 'object', properties: { a: lists } });
    const errorsIn = (length: number): object => {
      const checked = validate({ a: { ['k'.repeat(17_000)]: Array.from({ length }, () => 'a') } });
      return 'errors' in checked ? checked.errors : {};
    };
    expect(errorsIn(3)).toEqual([{ pointer: '/a', keyword: 'type', message: 'must be integer' }]);
    // Quadratic time would be 256 times as long.
    expect(growthOf(errorsIn, 100, 1_600)).toBeLessThan(64);
    const unknown = new Validators().forBody({ type: 'object', additionalProperties: false });
    expect(unknown({ ['k'.repeat(1000)]: 1 })).toEqual({
      errors: [
        { pointer: `/${'k'.repeat(499)}…`, keyword: 'additionalProperties', message: 'unknown member' },
      ],
    });
  });

  describe('of branches of recursive unions', () => {
    const validatorOf = (required: readonly string[]) => {
      const branch = (constant: string): object => ({
        type: 'object',
        properties: { child: { $ref: '#/$defs/node' }, kind: { const: constant } },
        required,
      });
      const node = { anyOf: [branch('a'), branch('b'), branch('c')] };
      return new Validators().forBody({ $ref: '#/$defs/node', $defs: { node } });
    };
    const nested = (depth: number, end: unknown, members: object = { kind: 'a' }): unknown =>
      Array.from({ length: depth }).reduce<unknown>((child) => ({ ...members, child }), end);

    it('end the search for one that matches', () => {
      const validate = validatorOf([]);
      expect(validate(nested(40, { kind: 'a' }))).toHaveProperty('value');
      expect(validate(nested(40, 1, {}))).toEqual({
        errors: [
          {
            pointer: '',
            keyword: 'anyOf',
            message: 'needs too many attempts to find the branches of unions that match',
          },
        ],
      });
    });

    it('are not the only limit: matches of a closed union end the search as well', () => {
      const branch = (kind: string) => ({
        properties: { child: { $ref: '#/$defs/node' }, kind: { const: kind } },
      });
      const node = { anyOf: ['a', 'b', 'c'].map(branch), unevaluatedProperties: false };
      const validate = new Validators().forBody({ $ref: '#/$defs/node', $defs: { node } });
      const tagged = nested(40, {});
      expect(validate(tagged)).toEqual({ value: tagged });
      expect(validate(nested(40, {}, {}))).toMatchObject({
        errors: [{ message: 'needs too many attempts to find the branches of unions that match' }],
      });
    });

    it('are not limited by matches in a list whose items match several branches', () => {
      const item = {
        anyOf: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ properties: { [name]: true } })),
        unevaluatedProperties: false,
      };
      const validate = new Validators().forBody({ type: 'array', items: item });
      const list = Array.from({ length: 300_000 }, () => ({}));
      expect('value' in validate(list)).toBe(true);
      const unknown = (pointer: string) => ({ pointer, message: 'unknown member' });
      expect(validate([...list.slice(0, 3_000), { x: 1 }, { y: 1 }])).toMatchObject({
        errors: [unknown('/3000/x'), unknown('/3001/y')],
      });
    });

    it.each([[['kind']], [[]]])(
      'are those of the branch that a constant names, if %j is required',
      (required) => {
        expect(validatorOf(required)(nested(40, 1))).toEqual({
          errors: [{ pointer: '/child'.repeat(40), keyword: 'type', message: 'must be object' }],
        });
      },
    );
  });

  describe('of recursive schemas that apply to a member twice', () => {
    const node = { $ref: '#/$defs/node' };
    const child = { properties: { child: node } };
    const nested = (depth: number, list: boolean): unknown =>
      Array.from({ length: depth }).reduce<unknown>((one) => ({ child: list ? [one] : one }), {});

    it.each([
      { if: child, then: child },
      { if: child, else: false, ...child },
      { allOf: [child, child] },
      { dependentSchemas: { child }, ...child },
      { properties: { child: { contains: node, items: node } } },
      { allOf: [child], patternProperties: { '^c': node } },
    ])('end the validation: %j', (definition) => {
      const isList = JSON.stringify(definition).includes('contains');
      for (const closed of [{}, { unevaluatedProperties: {} }]) {
        const schema = { ...node, ...closed, $defs: { node: { type: 'object', ...definition } } };
        const validate = new Validators().forBody(schema);
        for (const shallow of [{}, nested(14, isList)]) expect(validate(shallow)).toEqual({ value: shallow });
        expect(validate(nested(40, isList))).toEqual({
          errors: [
            {
              pointer: '',
              keyword: '$ref',
              message:
                'needs too many steps to validate: recursive schemas apply to its parts again and again',
            },
          ],
        });
      }
    });

    it('do not limit the length of lists', () => {
      const item = { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }], $ref: '#/$defs/A' };
      const definitions = { A: { type: 'object' }, B: { minProperties: 0 } };
      const validate = new Validators().forBody({ type: 'array', items: item, $defs: definitions });
      expect('value' in validate(Array.from({ length: 500_000 }, () => ({})))).toBe(true);
    });
  });

  it('are all of those of a failed condition next to patternProperties', () => {
    const validate = new Validators().forBody({
      type: 'object',
      if: { properties: { t: { const: 1 } }, required: ['t'] },
      else: { properties: { w: { type: 'string' } } },
      patternProperties: { '^k': { type: 'integer' } },
      unevaluatedProperties: false,
    });
    expect(validate({ k1: 1, w: false })).toMatchObject({
      errors: [
        { pointer: '/w', message: 'must be string' },
        { pointer: '/w', message: 'unknown member' },
      ],
    });
  });

  it('are those of the value as it was sent, although members are dropped from it', () => {
    const union = {
      type: 'object',
      properties: {
        item: {
          anyOf: ['a', 'b'].map((kind) => ({
            type: 'object',
            additionalProperties: false,
            properties: { kind: { const: kind }, [kind]: { type: 'integer' } },
            required: ['kind'],
          })),
        },
      },
    };
    const body = { item: { kind: 'a', a: 'text', other: 1 } };
    const checked = new Validators().forBody(union, 'drop')(body);
    const errors = 'errors' in checked ? checked.errors : [];
    expect(errors).toContainEqual({ pointer: '/item/a', keyword: 'type', message: 'must be integer' });
    expect(errors.filter(({ keyword }) => keyword === 'required')).toEqual([]);
  });

  it('that several branches find are reported once', () => {
    const text = { type: 'string' };
    const checked = new Validators().forBody({ allOf: [text, { allOf: [text, text] }] })(1);
    expect(checked).toEqual({ errors: [{ pointer: '', keyword: 'type', message: 'must be string' }] });
  });

  it('are at least as many as their limit says', () => {
    const errors = Array.from({ length: 10_000 }, (_, at) => ({
      pointer: `/${at}`,
      keyword: 'type',
      message: 'a',
    }));
    expect(failedValidation(errors).detail).toBe(
      'The body has 10000 errors or more; see the first in "errors".',
    );
  });
});
