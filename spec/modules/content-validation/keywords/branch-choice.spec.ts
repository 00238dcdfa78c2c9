import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020';
import { Validators } from '../../../../src/modules/content-validation';
import { SchemaCompiler } from '../../../../src/modules/content-validation/compile/schema-compiler';
import { SharedDefinitions } from '../../../../src/modules/content-validation/compile/shared-definitions';

const KEYWORDS = ['anyOf', 'oneOf'] as const;

const branch = (at: number) => ({
  type: 'object',
  properties: { t: { const: at }, v: { type: 'integer' } },
  required: ['t'],
});
const branches = (size: number) => Array.from({ length: size }, (_, at) => branch(at));
const validatorOf = (items: object, $defs: object = {}) =>
  new Validators().forBody({ type: 'array', items, $defs });

describe('the branch of a union that a constant member names', () => {
  it.each(KEYWORDS.flatMap((keyword) => [[keyword, 50, 40_000] as const, [keyword, 20, 80_000] as const]))(
    'is found in one attempt: %s of %d branches, %d items',
    (keyword, size, length) => {
      const items = { [keyword]: branches(size) };
      const references = {
        [keyword]: branches(size).map((_, at) => ({ $ref: `#/$defs/b${at}` })),
      };
      const $defs = Object.fromEntries(branches(size).map((one, at) => [`b${at}`, one]));
      const list = Array.from({ length }, () => ({ t: size - 1 }));
      expect(validatorOf(items)(list)).toEqual({ value: list });
      expect(validatorOf(references, $defs)(list)).toEqual({ value: list });
    },
  );

  it.each(KEYWORDS)('accepts the values that Ajv does: %s', (keyword) => {
    const scalar = fc.constantFrom<unknown>('a', 'b', 'c', 0, 1, true, null);
    const values = fc.uniqueArray(scalar, { minLength: 1, maxLength: 2 });
    const constant = fc.oneof(
      { weight: 3, arbitrary: fc.record({ const: scalar }) },
      fc.record({ enum: values }),
      fc.constantFrom({ type: 'string' }, { const: ['a'] }, {}),
    );
    const integer = fc.constantFrom({ type: 'integer' }, { const: 1 });
    const members = fc.oneof(
      fc.record({ kind: constant, v: integer }, { requiredKeys: ['kind'] }),
      fc.record({ length: constant, v: integer }, { requiredKeys: ['length'] }),
    );
    const object = fc.record(
      {
        type: fc.constant('object'),
        properties: members,
        required: fc.subarray(['kind', 'v']),
        additionalProperties: fc.constant(false),
      },
      { requiredKeys: ['properties'], noNullPrototype: true },
    );
    const one = fc.oneof(
      { weight: 4, arbitrary: object },
      fc.constantFrom<object | boolean>(
        { type: 'string' },
        { type: 'array', maxItems: 1 },
        { $ref: '#/$defs/A' },
        { $ref: '#/$defs/B' },
        { $ref: '#/$defs/A', properties: { v: { const: 2 } } },
        { not: { required: ['v'] } },
        true,
        false,
      ),
      fc.record({ allOf: fc.tuple(object, fc.constantFrom({ $ref: '#/$defs/B' }, { required: ['v'] })) }),
    );
    const value = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: scalar, length: scalar, v: scalar }, { requiredKeys: [] }) },
      scalar,
      fc.array(scalar, { maxLength: 2 }),
    );
    const $defs = {
      A: { properties: { kind: { const: 'a' } } },
      B: { properties: { kind: { const: 'b' } } },
    };
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 2, maxLength: 5 }),
        fc.array(value, { minLength: 20, maxLength: 20 }),
        fc.boolean(),
        (all, list, isClosed) => {
          const schema = { [keyword]: all, $defs, ...(isClosed ? { unevaluatedProperties: false } : {}) };
          const { accepts } = new SchemaCompiler({}).compile(schema)();
          const plain = new Ajv2020({ strict: false }).compile(schema);
          for (const each of list) expect([each, accepts(each)]).toEqual([each, plain(each)]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    { properties: { kind: { 'x-read-only': 'ignore' } } },
    { additionalProperties: { 'x-read-only': 'ignore' } },
    { anyOf: [{ properties: { kind: { 'x-read-only': 'ignore' } } }] },
    { properties: { kind: { enum: ['a', 'b'], 'x-read-only': 'ignore' } } },
    { unevaluatedProperties: { 'x-read-only': 'ignore' } },
    { dependencies: { kind: { properties: { kind: { 'x-read-only': 'ignore' } } } } },
  ])('is not chosen by a member that the branch itself removes: %j', (removing) => {
    const schema = {
      $defs: { removing },
      anyOf: [
        { type: 'object', properties: { kind: { const: 'a' } }, required: ['v'] },
        { allOf: [{ $ref: '#/$defs/removing' }, { type: 'object', properties: { kind: { const: 'b' } } }] },
      ],
    };
    const { accepts } = new SchemaCompiler({}).compile(schema)();
    expect(accepts({ kind: 'a' })).toBe(true);
  });

  it.each(KEYWORDS)('may be each of those that share a constant: %s', (keyword) => {
    const named = (kind: readonly string[], member: string) => ({
      properties: { kind: { enum: kind } },
      required: ['kind', member],
    });
    const { accepts } = new SchemaCompiler({}).compile({
      [keyword]: [named(['a', 'b'], 'x'), named(['b', 'c'], 'y'), named(['d'], 'z')],
    })();
    const values = [
      { kind: 'b', x: 1 },
      { kind: 'b', y: 1 },
      { kind: 'c', x: 1 },
      { kind: 'd', z: 1 },
    ];
    expect(values.map(accepts)).toEqual([true, true, false, true]);
    expect(accepts({ kind: 'b', x: 1, y: 1 })).toBe(keyword === 'anyOf');
  });

  it.each(['constructor', '__proto__', 'toString'])('may be any for a value that inherits %s', (name) => {
    const constant = (value: number) => ({ type: 'object', properties: { [name]: { const: value } } });
    const { accepts } = new SchemaCompiler({}).compile({ anyOf: [constant(1), constant(2)] })();
    expect([{}, { [name]: 2 }, { [name]: 3 }].map(accepts)).toEqual([true, true, false]);
  });

  it('is that of the converted constant where texts are converted', () => {
    const { accepts } = new SchemaCompiler({ coerceTypes: 'array' }).compile({
      anyOf: [1, 2].map((kind) => ({ properties: { kind: { type: 'integer', const: kind } } })),
    })();
    expect(['1', '2', '3'].map((kind) => accepts({ kind }))).toEqual([true, true, false]);
  });

  it('is found among shared definitions', () => {
    const $defs = Object.fromEntries(branches(50).map((one, at) => [`b${at}`, one]));
    const items = { oneOf: branches(50).map((_, at) => ({ $ref: `#/$defs/b${at}` })) };
    const compiler = new SchemaCompiler({}, new SharedDefinitions($defs));
    const { accepts } = compiler.compile({ type: 'array', items, $defs })();
    expect(accepts(Array.from({ length: 40_000 }, () => ({ t: 49 })))).toBe(true);
  });

  it('is found by the part that specializes a base whose member has a type only', () => {
    const Base = { type: 'object', properties: { t: { type: 'integer', description: 'The kind.' } } };
    const items = { anyOf: branches(50).map((one) => ({ allOf: [{ $ref: '#/$defs/Base' }, one] })) };
    const list = Array.from({ length: 40_000 }, () => ({ t: 49 }));
    expect(validatorOf(items, { Base })(list)).toEqual({ value: list });
  });

  it('is not sought in a part of a schema with an $id of its own', () => {
    const constant = (kind: string) => ({ type: 'object', properties: { kind: { const: kind } } });
    const inner = {
      $id: 'https://example.org/inner',
      $defs: { named: constant('b') },
      properties: { one: { $ref: '#/$defs/named' } },
    };
    const schema = {
      anyOf: [constant('a'), { $ref: '#/$defs/inner/properties/one' }],
      $defs: { named: constant('c'), inner },
    };
    const { accepts } = new SchemaCompiler({}).compile(schema)();
    expect(['a', 'b', 'c'].map((kind) => accepts({ kind }))).toEqual([true, true, false]);
  });

  it('is found by the definitions of the schema with an $id that the union is in', () => {
    const constant = (kind: string) => ({ type: 'object', properties: { kind: { const: kind } } });
    const inner = {
      $id: 'https://example.org/inner',
      $defs: { named: constant('b') },
      anyOf: [constant('a'), { $ref: '#/$defs/named' }],
    };
    const schema = { properties: { one: inner }, $defs: { named: constant('c') } };
    const { accepts } = new SchemaCompiler({}).compile(schema)();
    expect(['a', 'b', 'c'].map((kind) => accepts({ one: { kind } }))).toEqual([true, true, false]);
  });

  it('may be any of those whose constants are lists or objects', () => {
    const { accepts } = new SchemaCompiler({}).compile({
      anyOf: [['a'], { b: 1 }, 'c'].map((kind) => ({ properties: { kind: { const: kind } } })),
    })();
    expect([['a'], { b: 1 }, 'c', ['c']].map((kind) => accepts({ kind }))).toEqual([true, true, true, false]);
  });

  it('is sought among up to 100 branches', () => {
    const list = Array.from({ length: 40_000 }, () => ({ t: 99 }));
    expect(validatorOf({ oneOf: branches(100) })(list)).toEqual({ value: list });
    expect(validatorOf({ oneOf: branches(101) })(list)).toMatchObject({
      errors: [{ message: 'needs too many attempts to find the branches of unions that match' }],
    });
  });

  it('does not count the attempts of a condition that no item meets', () => {
    const list = Array.from({ length: 40_000 }, () => ({ t: 50 }));
    const schema = { type: 'array', not: { contains: { anyOf: branches(50) } } };
    expect(new Validators().forBody(schema)(list)).toEqual({ value: list });
  });

  describe.each(KEYWORDS)('in a long list, of %s', (keyword) => {
    const validate = validatorOf({ [keyword]: [...branches(50), { type: 'null' }] });
    const list = Array.from({ length: 5_000 }, () => ({ t: 1 }));
    const unionError = (at: number) => expect.objectContaining({ pointer: `/${at}`, keyword }) as unknown;

    it('is the only one whose errors are reported, of each item', () => {
      expect(validate([...list, { t: 1, v: 'x' }, { t: 2, v: 'y' }])).toEqual({
        errors: [5_000, 5_001].flatMap((at) => [
          { pointer: `/${at}/v`, keyword: 'type', message: 'must be integer' },
          { pointer: `/${at}`, keyword: 'type', message: 'must be null' },
          unionError(at),
        ]),
      });
    });

    it('is one of those that the error of another constant lists', () => {
      expect(validate([...list, { t: 50, v: 'x' }])).toEqual({
        errors: [
          {
            pointer: '/5000/t',
            keyword: 'enum',
            message: `must be one of: ${Array.from({ length: 20 }, (_, at) => at).join(', ')} … and 30 more`,
          },
          { pointer: '/5000', keyword: 'type', message: 'must be null' },
          unionError(5_000),
        ],
      });
    });
  });

  it('is not one of the literals of the union that are listed for another constant', () => {
    const items = { anyOf: [{ const: 'x' }, { const: 'y' }, ...branches(3)] };
    const list = Array.from({ length: 6_000 }, () => ({ t: 1 }));
    expect(validatorOf(items)([...list, { t: 3 }])).toEqual({
      errors: [
        { pointer: '/6000/t', keyword: 'enum', message: 'must be one of: 0, 1, 2' },
        { pointer: '/6000', keyword: 'const', message: 'must be "x"' },
        { pointer: '/6000', keyword: 'const', message: 'must be "y"' },
        { pointer: '/6000', keyword: 'anyOf', message: 'must match a schema in anyOf' },
      ],
    });
  });

  it('may be any if the value has no constant, and the errors of all are reported', () => {
    const list = Array.from({ length: 20_000 }, () => ({ t: 1 }));
    const checked = validatorOf({ anyOf: branches(50) })([...list, { v: 1 }]);
    expect(checked).toMatchObject({ errors: [{ pointer: '/20000/t', message: 'is required' }, {}] });
  });
});
