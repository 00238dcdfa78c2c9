import type { SchemaNode } from '../../../../src/framework';
import { Validators } from '../../../../src/modules/content-validation';

const LENGTH = 1_000;

const member = { value: { type: 'integer', default: 1 } };

/** A chain of definitions, each of which refers to the next one, and the last one to the first. */
const chain = (others: object = {}, length = LENGTH) =>
  Object.fromEntries(
    Array.from({ length }, (_, at) => {
      const next = { $ref: `#/$defs/S${(at + 1) % length}` };
      const properties = { ...member, next, list: { type: 'array', items: next } };
      return [`S${at}`, { type: 'object', properties, additionalProperties: false, ...others }];
    }),
  );
const withChain = (schema: object, $defs: object = chain()) => ({ ...schema, $defs });

const pointers = (result: object): readonly string[] =>
  'errors' in result ? (result.errors as { pointer: string }[]).map(({ pointer }) => pointer) : [];

describe('a schema with its own chain of a thousand definitions', () => {
  const schema = withChain({ type: 'object', properties: { it: { $ref: '#/$defs/S0' } } });

  it.each([
    [{ it: { next: { list: [{}, { next: {} }] } } }, []],
    [{ it: { next: { list: [{}, { next: 5 }] } } }, ['/it/next/list/1/next']],
    [{ it: { next: { next: { other: 1 } } } }, ['/it/next/next/other']],
    [{ it: { value: 'x', next: { value: 'x' } } }, ['/it/value', '/it/next/value']],
  ])('validates %j', (value, expected) => {
    expect(new Set(pointers(new Validators().asIs(schema)(value)))).toEqual(new Set(expected));
  });

  it('is compiled for equal schemas once, and independently of others with the same names', () => {
    const validators = new Validators();
    const checks = [schema, structuredClone(schema), withChain(schema, chain({ required: ['value'] }))].map(
      (one) => validators.asIs(one),
    );
    expect(checks.map((check) => pointers(check({ it: {} })))).toEqual([[], [], ['/it/value']]);
  });

  it('adds defaults', () => {
    expect(new Validators().forBody(schema)({ it: { next: {} } })).toEqual({
      value: { it: { value: 1, next: { value: 1 } } },
    });
  });

  it('has the errors of the branch of a union that is meant', () => {
    const kinds = Object.fromEntries(
      ['a', 'b'].map((kind) => [
        kind,
        {
          type: 'object',
          properties: { kind: { const: kind }, next: { $ref: '#/$defs/S0' } },
          required: ['kind'],
        },
      ]),
    );
    const union = withChain(
      { oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] },
      { ...chain(), ...kinds },
    );
    expect(pointers(new Validators().asIs(union)({ kind: 'b', next: { next: 3 } }))).toEqual(['/next/next']);
  });

  it('knows what a definition evaluates', () => {
    const open = chain({ additionalProperties: true });
    const whole = withChain(
      { $ref: '#/$defs/S0', unevaluatedProperties: false },
      chain({ additionalProperties: undefined }),
    );
    const validate = new Validators().asIs(whole);
    expect(pointers(validate({ value: 1, next: {} }))).toEqual([]);
    expect(pointers(validate({ value: 1, other: 1 }))).toEqual(['/other']);
    expect(pointers(new Validators().asIs(withChain({ $ref: '#/$defs/S0' }, open))({ other: 1 }))).toEqual(
      [],
    );
  });
});

it.each([
  [{ $ref: '#/$defs/Nothing' }, /can't resolve reference/],
  [{ $ref: '#/$defs/S0/properties/none' }, /can't resolve reference/],
  [{ minimum: 'low' }, /minimum is "low"; it must be number/],
])('A definition among many that cannot be used is found in advance: %j', (wrong, message) => {
  const schema = withChain({ $ref: '#/$defs/Wrong' }, { ...chain({}, 60), Wrong: wrong });
  expect(() => new Validators().asIs(schema)).toThrow(message);
});

it('A schema with many definitions may refer to itself', () => {
  const tree = withChain(
    { type: 'object', properties: { tree: { $ref: '#' }, it: { $ref: '#/$defs/S0' } } },
    chain({}, 60),
  );
  expect(pointers(new Validators().asIs(tree)({ tree: { it: { next: { value: 'x' } } } }))).toEqual([
    '/tree/it/next/value',
  ]);
});

it('Definitions that refer to the whole schema stay within it', () => {
  const tree = withChain(
    { type: 'object', properties: { it: { $ref: '#/$defs/Whole' }, size: { type: 'integer' } } },
    { ...chain({}, 60), Whole: { $ref: '#' } },
  );
  expect(pointers(new Validators().asIs(tree)({ it: { it: { size: 'x' } } }))).toEqual(['/it/it/size']);
});

describe.each([
  ['few', 10],
  ['many', 60],
])('a reference to a branch of a union in one of %s definitions', (_, length) => {
  const X = { anyOf: Array.from({ length: 60 }, (_, at) => ({ const: `v${at}` })) };

  it.each([0, 7])('means the branch %d', (at) => {
    const y = { $ref: `#/$defs/X/anyOf/${at}` };
    const definitions = { ...chain({}, length), X };
    const own = withChain({ properties: { x: { $ref: '#/$defs/X' }, y } }, definitions);
    const shared = { ...definitions, Y: { properties: { x: { $ref: '#/$defs/X' }, y } } };
    const within = withChain({ $ref: '#/$defs/Y' }, shared);
    const checks = [
      new Validators().asIs(own),
      new Validators().asIs(within),
      new Validators().withDefinitions(shared).asIs(within),
      new Validators().withDefinitions(definitions).asIs(own),
      new Validators().withDefinitions(definitions).asIs(within),
    ];
    for (const check of checks) {
      expect(pointers(check({ x: 'v5', y: `v${at}` }))).toEqual([]);
      expect(pointers(check({ y: 'v5' }))).toEqual(['/y']);
      expect(pointers(check({ x: 'v60' }))).toEqual(['/x']);
    }
  });
});

describe.each([
  ['few', 10],
  ['many', 60],
])('among %s definitions', (_, length) => {
  const validatorsOf = (schema: object, definitions: Readonly<Record<string, SchemaNode>>) => [
    new Validators().asIs(withChain(schema, definitions)),
    new Validators().withDefinitions(definitions).asIs(withChain(schema, definitions)),
  ];

  it('those are found to which dependencies refer', () => {
    const dependent = { dependencies: { f: { $ref: '#/$defs/S1' }, g: ['f'] } };
    const definitions = { ...chain({ additionalProperties: true }, length), Within: dependent };
    for (const schema of [dependent, { $ref: '#/$defs/Within' }])
      for (const check of validatorsOf(schema, definitions)) {
        expect(pointers(check({ f: 1, value: 1 }))).toEqual([]);
        expect(pointers(check({ f: 1, value: 'x' }))).toEqual(['/value']);
        expect(pointers(check({ g: 1, value: 'x' }))).toEqual(['/f']);
      }
  });

  it('the names may be dots', () => {
    const definitions = {
      ...chain({}, length),
      '.': { properties: { parent: { $ref: '#/$defs/..' } } },
      '..': { type: 'integer' },
    };
    for (const check of validatorsOf({ $ref: '#/$defs/.' }, definitions)) {
      expect(pointers(check({ parent: 1 }))).toEqual([]);
      expect(pointers(check({ parent: 'x' }))).toEqual(['/parent']);
    }
  });

  it('some may be booleans', () => {
    const schema = withChain(
      { properties: { any: { $ref: '#/$defs/Any' }, none: { $ref: '#/$defs/None' } } },
      { ...chain({}, length), Any: true, None: false },
    );
    const check = new Validators().asIs(schema);
    expect(pointers(check({ any: {} }))).toEqual([]);
    expect(pointers(check({ none: 1 }))).toEqual(['/none']);
  });
});

it('A boolean definition does not keep a long chain together', () => {
  const properties = { it: { $ref: '#/$defs/S0' }, any: { $ref: '#/$defs/Any' } };
  const schema = withChain({ properties }, { ...chain(), Any: true });
  expect(pointers(new Validators().asIs(schema)({ it: { next: { value: 'x' } } }))).toEqual([
    '/it/next/value',
  ]);
});
