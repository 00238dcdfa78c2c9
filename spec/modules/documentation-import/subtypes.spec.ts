import { importOpenapi } from '../../../src/modules/documentation-import';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { sendJson } from '../../factories/http/requests';

const extending = (parent: string, properties: object, required: readonly string[] = []): object => ({
  allOf: [{ $ref: `#/components/schemas/${parent}` }, { type: 'object', properties, required }],
});

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } };

const text = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: { responses: { 200: { description: 'A pet.', content } } },
      post: { requestBody: { content }, responses: { 204: { description: 'Stored.' } } },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['kind'],
        discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
        properties: { id: { type: 'string', readOnly: true }, kind: { type: 'string' } },
      },
      Cat: extending('Pet', { lives: { type: 'integer' } }),
      Dog: extending('Pet', { pack: { type: 'integer' } }, ['pack']),
      Puppy: extending('Dog', { weeks: { type: 'integer' } }),
      Other: { type: 'object' },
    },
  },
});

describe('schemas that extend one with a discriminator by allOf', () => {
  const { api, warnings } = importOpenapi({ text, name: 'pets.json' }, 1);
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Pets: api } } } });
  });
  afterAll(() => platform.stop());

  it('are imported though nothing else refers to them', () => {
    expect(warnings.filter((one) => one.startsWith('unused'))).toEqual([
      'unused schema: #/components/schemas/Other',
    ]);
  });

  it('are documented', async () => {
    const answer = await platform.request('/platform/documentation/Pets?format=openapi');
    const { components } = (await answer.json()) as { components: { schemas: Record<string, object> } };
    expect(components.schemas).toMatchObject({
      Pet: {
        discriminator: {
          mapping: {
            cat: '#/components/schemas/Cat',
            Dog: '#/components/schemas/Dog',
            Puppy: '#/components/schemas/Puppy',
          },
        },
      },
      Puppy: { allOf: [{ $ref: '#/components/schemas/Dog' }, {}] },
    });
  });

  it.each([
    [{ kind: 'cat', lives: 9 }, 501],
    [{ kind: 'cat', lives: 'x' }, 422],
    [{ kind: 'Cat', lives: 'x' }, 422],
    [{ kind: 'Dog', pack: 1 }, 501],
    [{ kind: 'Dog' }, 422],
    [{ kind: 'Dog', pack: 1, lives: 'x' }, 501],
    [{ kind: 'Puppy', weeks: 1 }, 422],
    [{ kind: 'Puppy', weeks: 'x', pack: 1 }, 422],
    [{ kind: 'Puppy', weeks: 1, pack: 1 }, 501],
    [{ kind: 'bird' }, 501],
    [{ pack: 1 }, 422],
  ])('are validated by the value of the discriminator: %j', async (body, status) => {
    expect((await platform.request('/v1/pets', sendJson(body))).status).toBe(status);
  });
});
