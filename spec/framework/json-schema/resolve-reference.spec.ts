import {
  definitionPath,
  definitionReference,
  resolveReference,
  withDefinitions,
} from '../../../src/framework';

const names = ['Item', 'Page<Item>', 'a/b', 'a~b', 'a#b', 'a%20b', 'Größe', '$x', 'a?b'];

describe('a reference to a definition', () => {
  it.each(names)('is found by a name with any characters: %s', (name) => {
    const definition = { type: 'object' };
    const reference = definitionReference(name);
    expect(definitionPath(reference)).toEqual([name]);
    expect(resolveReference({ $defs: { [name]: definition } }, reference)).toBe(definition);
    const schema = { properties: { one: { $ref: reference } } };
    expect(withDefinitions(schema, { [name]: definition, Other: {} })).toEqual({
      ...schema,
      $defs: { [name]: definition },
    });
  });

  it.each(['#/$defs/Page%3CItem%3E', '#/$defs/Page<Item>', '#/%24defs/Page%3cItem>'])(
    'is a URI fragment, which may be percent-encoded: %s',
    (reference) => {
      const item = { type: 'string' };
      const root = { $defs: { 'Page<Item>': { items: item } } };
      expect(resolveReference(root, `${reference}/items`)).toBe(item);
      expect(definitionPath(`${reference}/items`)).toEqual(['Page<Item>', 'items']);
    },
  );

  it('may be malformed, and is then read as it is', () => {
    expect(definitionPath('#/$defs/100%')).toEqual(['100%']);
    expect(definitionPath('https://example.org/$defs/a')).toEqual([]);
  });
});
