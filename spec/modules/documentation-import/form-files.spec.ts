import { importOpenapi, type ImportedApi } from '../../../src/modules/documentation-import';
import { HOSTING } from '../../factories/processes/start-refusal';
import { startTestPlatform } from '../../factories/platform';

const SCHEMAS = {
  Upload: { type: 'string', format: 'binary', description: 'A file.' },
  Alias: { $ref: '#/components/schemas/Upload' },
};

/** Imports a form. */
function imported(properties: object, encoding: object = {}, openapi = '3.1.1'): ImportedApi {
  const content = { 'multipart/form-data': { schema: { type: 'object', properties }, encoding } };
  const post = {
    tags: ['A'],
    requestBody: { required: true, content },
    responses: { 200: { description: 'A' } },
  };
  const info = { title: 'T', version: '1' };
  const document = { openapi, info, paths: { '/a': { post } }, components: { schemas: SCHEMAS } };
  return importOpenapi({ text: JSON.stringify(document), name: 'file' }, 1);
}

/** The fields of the form. */
function fieldsOf({ api }: ImportedApi): unknown {
  const text = JSON.stringify(api);
  const { versions } = JSON.parse(text) as {
    versions: { 1: { services: { A: { methods: { POST: { fields: { properties: unknown } } } } } } };
  };
  return versions[1].services.A.methods.POST.fields.properties;
}

const Upload = { $ref: '#/components/schemas/Upload' };
const file = (more: object = {}) => ({ type: 'string', format: 'binary', ...more, 'x-file': {} });

it.each([
  ['a reference', Upload, file({ description: 'A file.' })],
  ['a reference to a reference', { $ref: '#/components/schemas/Alias' }, file({ description: 'A file.' })],
  ['a reference with a description', { ...Upload, description: 'Own.' }, file({ description: 'Own.' })],
  ['a composed reference', { allOf: [Upload], description: 'Own.' }, file({ description: 'Own.' })],
  [
    'a list of references',
    { type: 'array', items: Upload },
    { type: 'array', items: file({ description: 'A file.' }) },
  ],
  ['a schema without keywords', {}, file()],
  ['a schema with annotations only', { description: 'Any.' }, file({ description: 'Any.' })],
  ['a list of any items', { type: 'array', items: {} }, { type: 'array', items: file() }],
  ['text or null', { type: ['string', 'null'], format: 'binary' }, file()],
  ['a union with null', { anyOf: [Upload, { type: 'null' }] }, file({ description: 'A file.' })],
  [
    'a union of a list with null',
    { oneOf: [{ type: 'array', items: Upload, maxItems: 2 }, { type: 'null' }] },
    { type: 'array', items: file({ description: 'A file.' }), maxItems: 2 },
  ],
])('a file of a form is a file field: %s', (_, declared, expected) => {
  const found = imported({ f: declared, title: { type: 'string' } });
  expect(fieldsOf(found)).toEqual({ f: expected, title: { type: 'string' } });
  expect(found.warnings.filter((warning) => /encoding|format|keyword/.test(warning))).toEqual([]);
  expect(JSON.stringify(found.api)).not.toContain('"schemas":{"');
});

it('has the media types of its encoding, also without keywords and in a list', () => {
  const { f, list } = fieldsOf(
    imported(
      { f: {}, list: { type: 'array', items: { contentMediaType: 'image/gif' } } },
      { f: { contentType: 'image/png' } },
    ),
  ) as Record<string, object>;
  expect(f).toEqual({ type: 'string', format: 'binary', 'x-file': { types: ['image/png'] } });
  expect(list).toMatchObject({ items: { 'x-file': { types: ['image/gif'] } } });
});

it('keeps the size that a document of the platform has', () => {
  const own = { type: 'string', format: 'binary' };
  const found = imported(
    {
      f: { ...own, 'x-file': { maxSize: 9 } },
      list: { type: 'array', items: { ...own, 'x-file': { types: ['image/*', 'text/plain'], maxSize: 8 } } },
    },
    { list: { contentType: 'image/*, text/plain' } },
  );
  expect(fieldsOf(found)).toEqual({
    f: { ...own, 'x-file': { maxSize: 9 } },
    list: { type: 'array', items: { ...own, 'x-file': { types: ['image/*', 'text/plain'], maxSize: 8 } } },
  });
  expect(found.warnings.filter((warning) => warning.includes('x-file'))).toEqual([]);
});

it.each([
  ['text', { type: 'string' }, {}, '3.1.1'],
  ['a number or null', { anyOf: [{ type: 'number' }, { type: 'null' }] }, {}, '3.1.1'],
  ['a list of texts', { type: 'array', items: { type: 'string' } }, {}, '3.1.1'],
  ['a list without items', { type: 'array' }, {}, '3.1.1'],
  ['any value that is JSON', {}, { f: { contentType: 'application/json' } }, '3.1.1'],
  ['any value of OpenAPI 3.0', {}, {}, '3.0.4'],
])('a field that is not a file stays what it is: %s', (_, f, encoding, openapi) => {
  expect(JSON.stringify(fieldsOf(imported({ f }, encoding, openapi)))).not.toContain('x-file');
});

it('is accepted by the service', async () => {
  const { api } = imported({ f: Upload, g: { type: 'array', items: {} } });
  const platform = await startTestPlatform({
    modules: HOSTING,
    local: { 'platform-hosting': { apis: { Files: api } } },
  });
  const body = new FormData();
  for (const name of ['f', 'g']) body.append(name, new Blob(['1']), 'one.bin');
  const { status } = await platform.request('/v1/a', { method: 'POST', body });
  await platform.stop();
  // There is no handler yet.
  expect(status).toBe(501);
});
