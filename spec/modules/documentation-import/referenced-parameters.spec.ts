import { importOpenapi } from '../../../src/modules/documentation-import';

it('a parameter keeps the constraints of the schema to which it refers, and its own', () => {
  const schema = { $ref: '#/components/schemas/Code', minLength: 1, pattern: 'B', description: 'Own' };
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': {
        get: { parameters: [{ name: 'q', in: 'query', schema }], responses: { 200: { description: 'A' } } },
      },
    },
    components: { schemas: { Code: { type: 'string', minLength: 3, pattern: 'A', description: 'A code' } } },
  });
  const { api } = importOpenapi({ text, name: 'file' }, 1);
  expect(JSON.stringify(api)).toContain(
    '"type":"string","minLength":3,"pattern":"A","description":"Own","allOf":[{"pattern":"B"}]',
  );
});

it('a list without "explode" is that of a path, and reported in a query', () => {
  const list = { explode: false, schema: { type: 'array', items: { type: 'integer' } } };
  const parameters = [
    { name: 'ids', in: 'path', required: true, style: 'simple', ...list },
    { name: 'tags', in: 'query', ...list },
  ];
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a/{ids}': { get: { parameters, responses: { 200: { description: 'A' } } } } },
  });
  expect(importOpenapi({ text, name: 'file' }, 1).warnings).toContain(
    'serialization of a parameter: #/paths/~1a~1{ids}/get/parameters/1',
  );
});

it('the schema of the content of a text refers to a shared schema', () => {
  const contentSchema = { $ref: '#/components/schemas/Item' };
  const content = { 'text/event-stream': { schema: { type: 'string', contentSchema } } };
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { responses: { 200: { description: 'A', content } } } } },
    components: { schemas: { Item: { type: 'object', properties: { n: { type: 'integer' } } } } },
  });
  const { api, warnings } = importOpenapi({ text, name: 'file' }, 1);
  expect(JSON.stringify(api)).toContain('"contentSchema":{"$ref":"#/schemas/Item"}');
  expect(JSON.stringify(api)).toContain('"schemas":{"Item":{"type":"object"');
  expect(warnings.filter((warning) => warning.includes('unused'))).toEqual([]);
});
