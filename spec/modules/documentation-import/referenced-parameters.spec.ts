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
