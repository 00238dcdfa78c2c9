import { describeSchema } from '../../../src/modules/documentation/model/schema/describe-schema';
import { importOpenapi } from '../../../src/modules/documentation-import';
import { startTestPlatform } from '../../factories/platform';

const schemas = {
  Animal: {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: {
      propertyName: 'kind',
      mapping: { meows: '#/components/schemas/Cat', barks: 'Dog', gone: 'Nowhere', sings: 'Bird' },
    },
  },
  Cat: { type: 'object', properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
  Dog: { type: 'object', properties: { kind: { type: 'string' }, tricks: { type: 'integer' } } },
  Bird: { type: 'object', properties: { kind: { type: 'string' } } },
  Malformed: { type: 'object', discriminator: { mapping: {} } },
};

const content = (name: string): object => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
});

const text = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Zoo', version: '1' },
  paths: {
    '/animals': {
      get: {
        parameters: [{ name: 'filter', in: 'query', schema: { $ref: '#/components/schemas/Animal' } }],
        responses: { 200: { description: 'One.', ...content('Animal') } },
      },
      post: { responses: { 200: { description: 'One.', ...content('Malformed') } } },
    },
  },
  components: { schemas },
});

describe('the discriminator of an OpenAPI document', () => {
  const { api, warnings } = importOpenapi({ text, name: 'zoo.json' }, 1);

  it('is imported with its mapping, and exported again', async () => {
    const platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Zoo: api } } } });
    try {
      const read = async (query: string): Promise<string> =>
        (await platform.request(`/platform/documentation/Zoo${query}`)).text();
      const document = JSON.parse(await read('?format=openapi')) as {
        components: { schemas: Record<string, object> };
      };
      expect(document.components.schemas).toMatchObject({
        Animal: {
          discriminator: {
            propertyName: 'kind',
            mapping: {
              meows: '#/components/schemas/Cat',
              barks: '#/components/schemas/Dog',
              sings: '#/components/schemas/Bird',
            },
          },
        },
        Bird: { type: 'object' },
      });
      const page = await read('/Animals?format=html');
      expect(page).toContain('by <code>kind</code>');
      expect(page).toMatch(/data-tab="meows"[^]*data-tab="barks"/);
    } finally {
      await platform.stop();
    }
  });

  it('has no mapping in a parameter, whose schema is inlined', () => {
    expect(JSON.stringify(api)).toContain('"discriminator":{"propertyName":"kind"}');
  });

  it('is reported if it is malformed, or maps to a schema that does not exist', () => {
    expect(warnings).toEqual(
      expect.arrayContaining([
        'entry of a discriminator mapping without a schema: #/components/schemas/Animal/discriminator/mapping/gone',
        '"discriminator" of a schema without "propertyName": #/components/schemas/Malformed',
      ]),
    );
    expect(warnings.join()).not.toMatch(/unused schema/);
  });

  it('names the alternatives of a schema by the values of its mapping', () => {
    const [union] = describeSchema({
      oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
      discriminator: { propertyName: 'kind', mapping: { meows: '#/$defs/Cat', barks: 'Dog' } },
      $defs: schemas,
    }).unions;
    expect(union?.alternatives.map(({ label }) => label)).toEqual(['meows', 'barks']);
  });
});
