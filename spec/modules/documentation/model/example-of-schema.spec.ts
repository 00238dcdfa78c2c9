import { exampleOfSchema } from '../../../../src/modules/documentation/model/example-of-schema';

describe('the example of a schema', () => {
  it.each([
    ['its own first', { type: 'string', examples: ['DE', 'FR'], default: 'IT' }, 'DE'],
    ['null, which is an example like any other', { examples: [null] }, null],
    ['its constant', { const: 'visit' }, 'visit'],
    ['its default', { type: 'integer', default: 0 }, 0],
    ['the first of its values', { enum: ['open', 'closed'] }, 'open'],
    ['none of its own', { type: 'string' }, undefined],
    ['a list of one', { type: 'array', items: { examples: [1] } }, [1]],
    ['no list of nothing', { type: 'array', items: { type: 'string' } }, undefined],
    ['the first branch that has one', { anyOf: [{ type: 'null' }, { examples: ['Berlin'] }] }, 'Berlin'],
    ['made of its members', { properties: { a: { examples: [1] }, b: {} }, required: ['a'] }, { a: 1 }],
    ['none when a required member has none', { properties: { a: {} }, required: ['a'] }, undefined],
    ['by reference', { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { examples: [2] } } }, { a: 2 }],
  ])('is %s', (_, schema, expected) => {
    expect(exampleOfSchema(schema)).toEqual(expected);
  });

  it('ends where a schema holds itself', () => {
    const schema = { properties: { name: { examples: ['a'] }, child: { $ref: '#' } }, required: ['name'] };
    expect(exampleOfSchema(schema)).toEqual({ name: 'a' });
  });

  it('costs no more where definitions hold each other many times', () => {
    const names = Array.from({ length: 40 }, (_, at) => `D${at}`);
    const references = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const definitions = Object.fromEntries(names.map((name) => [name, { properties: { ...references } }]));
    expect(exampleOfSchema({ $ref: '#/$defs/D0', $defs: definitions })).toBeDefined();
  });

  it('is no larger than is to be read where definitions hold the next one twice', () => {
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

  it('leaves out what would make it too large, and is none where that is required', () => {
    const many = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`m${at}`, { const: at }]));
    const heavy = { properties: many };
    const schema = { properties: { name: { const: 'a' }, one: heavy } };
    expect(exampleOfSchema(schema)).toEqual({ name: 'a' });
    expect(exampleOfSchema({ ...schema, required: ['one'] })).toBeUndefined();
  });

  it('comes to an end in a chain of any length', () => {
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

  it('is what is said beside a reference, where something is', () => {
    const definitions = { Name: { examples: ['Ada'] } };
    const named = { $ref: '#/$defs/Name', $defs: definitions };
    expect(exampleOfSchema(named)).toBe('Ada');
    expect(exampleOfSchema({ ...named, examples: ['Grace'] })).toBe('Grace');
  });
});
