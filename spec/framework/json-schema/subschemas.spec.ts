import { allSubschemas, mapSubschemas } from '../../../src/framework';

describe('mapSubschemas', () => {
  it('replaces schemas in all schema keywords', () => {
    const schema = {
      properties: { a: { type: 'string' } },
      items: { type: 'number' },
      anyOf: [{ type: 'null' }, true],
      additionalProperties: false,
    };
    expect(mapSubschemas(schema, () => ({ seen: true }))).toEqual({
      properties: { a: { seen: true } },
      items: { seen: true },
      anyOf: [{ seen: true }, true],
      additionalProperties: false,
    });
  });

  it('passes the path of each subschema', () => {
    const schema = { properties: { 'a/b': { items: {} } }, items: {}, anyOf: [{}, {}] };
    const places: string[] = [];
    mapSubschemas(schema, (inner, ...steps) => {
      places.push(steps.join(' '));
      return inner;
    });
    expect(places).toEqual(['properties a/b', 'items', 'anyOf 0', 'anyOf 1']);
  });

  it('does not change values that only look like schemas', () => {
    const schema = { const: { type: 'a' }, default: { items: {} }, enum: [{ type: 'b' }], examples: [{}] };
    expect(mapSubschemas(schema, () => ({ seen: true }))).toEqual(schema);
  });
});

describe('allSubschemas', () => {
  it('finds a property with the name of a keyword, and its subschemas', () => {
    const inner = { type: 'string' };
    const items = { items: inner };
    const schema = { properties: { items } };
    expect(allSubschemas(schema)).toEqual([schema, items, inner]);
  });
});
