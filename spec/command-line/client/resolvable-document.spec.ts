import { resolvableDocument } from '../../../src/command-line/client/resolvable-document';

const withNote = (schema: object): object => ({ components: { schemas: { Note: schema } } });

it('removes the files and URLs that examples name, with all other members', () => {
  const external = { summary: 'A note.', externalValue: 'file:///etc/hostname' };
  const media = (examples: object): object => ({
    paths: { '/notes': { get: { responses: { 200: { content: { 'application/json': { examples } } } } } } },
  });
  for (const name of ['empty', 'const', 'enum', 'default'])
    expect(resolvableDocument({ ...media({ [name]: external }) })).toEqual(
      media({ [name]: { summary: 'A note.' } }),
    );
  expect(resolvableDocument({ components: { examples: { one: external } } })).toEqual({
    components: { examples: { one: { summary: 'A note.' } } },
  });
  expect(resolvableDocument({ ...media({ one: { value: { list: [external] } } }) })).toEqual(
    media({ one: { value: { list: [{ summary: 'A note.' }] } } }),
  );
});

it('removes references from data, where they are ordinary names', () => {
  const data = (value: unknown): object => ({
    components: {
      schemas: { Note: { default: value, example: value, examples: [value] } },
      examples: { default: { value: { list: [value] } } },
    },
  });
  expect(resolvableDocument({ ...data({ $ref: 'https://a.example/b', type: 'c' }) })).toEqual(
    data({ type: 'c' }),
  );
});

it.each(['responses', 'headers', 'callbacks', 'links', 'content', 'encoding', 'examples', 'parameters'])(
  'keeps references of %s that have the names of keywords',
  (member) => {
    const reference = { $ref: '#/components/schemas/Note' };
    const named = { [member]: { default: reference, example: reference, value: reference } };
    expect(resolvableDocument({ ...withNote(named) })).toEqual(withNote(named));
  },
);

it.each([
  withNote({ properties: { externalValue: { type: 'string' }, examples: { type: 'object' } } }),
  withNote({ properties: { externalValue: true }, required: ['externalValue'] }),
  withNote({ const: { externalValue: 'a' } }),
  withNote({
    discriminator: { propertyName: 'kind', mapping: { externalValue: '#/components/schemas/Note' } },
  }),
  withNote({ properties: { enum: { type: 'string' }, discriminator: { mapping: { type: 'string' } } } }),
])('keeps %j', (document) => {
  expect(resolvableDocument({ ...document })).toEqual(document);
});

it('replaces names of schemas in a mapping by references', () => {
  const schemas = (first: string, second: string): object => ({
    components: {
      schemas: {
        Note: {
          oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B.2' }],
          discriminator: { propertyName: 'kind', mapping: { a: first, b: second, c: 'Gone' } },
        },
        A: { type: 'object' },
        'B.2': { type: 'object' },
      },
    },
  });
  expect(resolvableDocument({ ...schemas('A', 'B.2') })).toEqual(
    schemas('#/components/schemas/A', '#/components/schemas/B.2'),
  );
});
