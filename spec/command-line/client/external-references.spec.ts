import { assertSelfContained } from '../../../src/command-line/client/external-references';

const withNote = (schema: object): object => ({ components: { schemas: { Note: schema } } });
const discriminator = (target: string): object =>
  withNote({ oneOf: [{ discriminator: { propertyName: 'kind', mapping: { one: 'Note', two: target } } }] });

it.each([
  [withNote({ $ref: '/etc/hostname' }), '"/etc/hostname"'],
  [withNote({ $ref: 'http://127.0.0.1/x' }), '"http://127.0.0.1/x"'],
  [withNote({ $ref: 'other.json#/Note' }), '"other.json#/Note"'],
  [withNote({ $ref: '' }), '""'],
  [withNote({ enum: [{ externalValue: 'other.json' }] }), '"other.json"'],
  [discriminator('./other.json'), '"./other.json"'],
  [discriminator('other.json'), '"other.json"'],
])('refuses %j', (document, reference) => {
  expect(() => assertSelfContained(document, 'notes.json')).toThrow(
    `notes.json refers to another document: ${reference}. Bundle it`,
  );
});

it.each([
  withNote({ $ref: '#/components/schemas/Other' }),
  withNote({ properties: { $ref: { type: 'string' }, discriminator: { type: 'string' } } }),
  discriminator('#/components/schemas/Note'),
  discriminator('Other-Note_2'),
])('accepts %j', (document) => {
  expect(() => assertSelfContained(document, 'notes.json')).not.toThrow();
});
