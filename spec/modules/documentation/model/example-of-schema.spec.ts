import { exampleOfSchema } from '../../../../src/modules/documentation/model/example-of-schema';

describe('exampleOfSchema', () => {
  it.each([
    ['its own first example', { type: 'string', examples: ['DE', 'FR'], default: 'IT' }, 'DE'],
    ['null as an example', { examples: [null] }, null],
    ['its constant', { const: 'visit' }, 'visit'],
    ['its default', { type: 'integer', default: 0 }, 0],
    ['the first of its enum values', { enum: ['open', 'closed'] }, 'open'],
    ['none without examples', { type: 'string' }, undefined],
    ['a list with one item', { type: 'array', items: { examples: [1] } }, [1]],
    ['as many items as a list has at least', { items: { examples: [1.5] }, minItems: 3 }, [1.5, 1.5, 1.5]],
    [
      'none for a list of distinct items',
      { items: { examples: [1] }, minItems: 2, uniqueItems: true },
      undefined,
    ],
    ['none for a list that has fewer items', { items: { examples: [1] }, maxItems: 0 }, undefined],
    ['none for a list of many items', { items: { examples: [1] }, minItems: 1e9 }, undefined],
    [
      'the items of places, before others',
      { prefixItems: [{ examples: ['a'] }], items: { examples: [1] }, minItems: 2 },
      ['a', 1],
    ],
    [
      'none for a list with a place without an example',
      { prefixItems: [{ type: 'string' }], items: { examples: [1] } },
      undefined,
    ],
    [
      'its members instead of an empty default',
      { default: {}, allOf: [{ properties: { name: { default: '' } }, required: ['name'] }] },
      { name: '' },
    ],
    [
      'an empty default that no member could replace',
      { properties: { labels: { type: 'object', default: {} } }, required: ['labels'] },
      { labels: {} },
    ],
    ['none for a list without an item example', { type: 'array', items: { type: 'string' } }, undefined],
    ['the first example of the branches', { anyOf: [{ type: 'null' }, { examples: ['Berlin'] }] }, 'Berlin'],
    [
      'the examples of its members',
      { properties: { a: { examples: [1] }, b: {} }, required: ['a'] },
      { a: 1 },
    ],
    ['none if no member has one', { properties: { a: {}, b: { type: 'string' } } }, undefined],
    ['an object without members that it declares itself', { examples: [{}], properties: { a: {} } }, {}],
    ['a member that is an object without members', { properties: { a: { properties: {} } } }, { a: {} }],
    ['none if a required member has none', { properties: { a: {} }, required: ['a'] }, undefined],
    [
      'none if a required member has none between others that have one',
      { properties: { a: { const: 1 }, b: {}, c: { const: 3 } }, required: ['a', 'b', 'c'] },
      undefined,
    ],
    [
      'the example of its reference',
      { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { examples: [2] } } },
      { a: 2 },
    ],
    [
      'the members of all schemas that apply',
      {
        allOf: [{ $ref: '#/$defs/Base' }],
        properties: { age: { examples: [3] } },
        $defs: { Base: { properties: { name: { examples: ['Rex'] } }, required: ['name'] } },
      },
      { name: 'Rex', age: 3 },
    ],
    [
      'none if a schema that applies requires a member without an example',
      { allOf: [{ properties: { name: {} }, required: ['name'] }], properties: { age: { examples: [3] } } },
      undefined,
    ],
    [
      'none if a member that is not declared is required',
      { allOf: [{ required: ['name'] }], properties: { age: { examples: [3] } } },
      undefined,
    ],
    [
      'the members of the example of a part',
      { allOf: [{ examples: [{ name: 'Rex' }] }, { properties: { age: { examples: [3] } } }] },
      { name: 'Rex', age: 3 },
    ],
    [
      'a constant instead of the example that another part has',
      {
        allOf: [{ properties: { kind: { examples: ['pet'] } } }, { properties: { kind: { const: 'cat' } } }],
      },
      { kind: 'cat' },
    ],
    [
      'the example of a part',
      { allOf: [{ type: 'string' }, { examples: ['Rex'] }, { default: 'Tom' }] },
      'Rex',
    ],
    [
      'the first branch whose members have examples, with its own members',
      {
        properties: { kind: { examples: ['x'] } },
        oneOf: [
          { properties: { fins: {} }, required: ['fins'] },
          { properties: { paws: { examples: [4] } }, required: ['paws', 'kind'] },
          { properties: { wings: { examples: [2] } }, required: ['wings'] },
        ],
      },
      { kind: 'x', paws: 4 },
    ],
    [
      'none if no branch has examples',
      { properties: { a: { examples: [1] } }, anyOf: [{ required: ['b'] }, { required: ['c'] }] },
      undefined,
    ],
    [
      'the members of a branch that refers to the schema',
      { properties: { a: { examples: [1] } }, anyOf: [{ $ref: '#' }, { required: ['b'] }] },
      { a: 1 },
    ],
    ['null as a constant', { const: null, default: 1 }, null],
    ['none if no part has one', { allOf: [{ properties: { a: {} } }] }, undefined],
  ])('returns %s', (_, schema, expected) => {
    expect(exampleOfSchema(schema)).toEqual(expected);
  });

  it('ends at recursion', () => {
    const schema = { properties: { name: { examples: ['a'] }, child: { $ref: '#' } }, required: ['name'] };
    expect(exampleOfSchema(schema)).toEqual({ name: 'a' });
  });

  it('takes linear time for definitions with many references', () => {
    const names = Array.from({ length: 40 }, (_, at) => `D${at}`);
    const references = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const definitions = Object.fromEntries(
      names.map((name) => [name, { properties: { ...references, own: { examples: [1] } } }]),
    );
    expect(exampleOfSchema({ $ref: '#/$defs/D0', $defs: definitions })).toBeDefined();
  });

  it('limits the size of an example with exponential references', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/$defs/D${at + 1}` };
        return [`D${at}`, { properties: { name: { examples: [at] }, left: next, right: { items: next } } }];
      }),
    );
    const example = exampleOfSchema({ $ref: '#/$defs/D0', $defs: definitions });
    expect(JSON.stringify(example)).toContain('"name":0');
    expect(JSON.stringify(example).length).toBeLessThan(30_000);
  });

  it('omits members that would make it too large, and returns none if they are required', () => {
    const many = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`m${at}`, { const: at }]));
    const heavy = { properties: many };
    const schema = { properties: { name: { const: 'a' }, one: heavy } };
    expect(exampleOfSchema(schema)).toEqual({ name: 'a' });
    expect(exampleOfSchema({ ...schema, required: ['one'] })).toBeUndefined();
  });

  it('ends for a reference chain of any length', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => {
        const next = { $ref: `#/$defs/D${at + 1}` };
        return [`D${at}`, { properties: { name: { examples: [at] }, next } }];
      }),
    );
    expect(exampleOfSchema({ $ref: '#/$defs/D0', $defs: definitions })).toMatchObject({
      name: 0,
      next: { name: 1, next: { name: 2 } },
    });
  });

  it('prefers the siblings of a reference', () => {
    const definitions = { Name: { examples: ['Ada'] } };
    const named = { $ref: '#/$defs/Name', $defs: definitions };
    expect(exampleOfSchema(named)).toBe('Ada');
    expect(exampleOfSchema({ ...named, examples: ['Grace'] })).toBe('Grace');
  });
});
