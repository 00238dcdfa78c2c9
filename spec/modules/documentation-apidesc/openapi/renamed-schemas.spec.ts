import { resolveReference, runSync } from '../../../../src/framework';
import { Api } from '../../../../src/modules/documentation/model/api';
import type { JsonSchema } from '../../../../src/modules/documentation/model/data';
import { openapiOfApi } from '../../../../src/modules/documentation-apidesc/openapi/document';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The components of an API with a service for each schema. */
function componentsOf(...schemas: readonly JsonSchema[]): Schemas {
  const services = schemas.map((responseSchema, at) =>
    serviceData({
      name: `S${at + 1}`,
      route: `/s${at + 1}`,
      operations: [operationData({ responseSchema })],
    }),
  );
  const text = JSON.stringify(runSync(openapiOfApi(new Api(apiData({ services })))));
  const document = JSON.parse(text) as { components: { schemas: Schemas } };
  for (const [, reference = ''] of text.matchAll(/"(#\/[^"]*)"/g))
    expect([reference, resolveReference(document, reference)]).toEqual([reference, expect.any(Object)]);
  return document.components.schemas;
}

const kinds = (text: object, discriminator: object = {}): JsonSchema => ({
  oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
  discriminator: { propertyName: 'kind', ...discriminator },
  $defs: {
    Cat: { type: 'object', properties: { kind: { type: 'string' }, paws: text } },
    Dog: { type: 'object', properties: { kind: { type: 'string' } } },
  },
});
const text = { type: 'string' };
const integer = { type: 'integer' };

describe('a discriminator in an OpenAPI document', () => {
  it('maps the value of a branch whose component has another name', () => {
    const { S1Collection: first, S2Collection: second } = componentsOf(kinds(text), kinds(integer));
    expect(first?.discriminator).toEqual({ propertyName: 'kind' });
    expect(second?.discriminator).toEqual({
      propertyName: 'kind',
      mapping: { Cat: '#/components/schemas/Cat_2' },
    });
  });

  it.each([[{ c: 'Cat' }], [{ c: '#/$defs/Cat' }]])(
    'maps declared values to the components of the same service: %j',
    (mapping) => {
      const { S2Collection: second } = componentsOf(kinds(text), kinds(integer, { mapping }));
      expect(second?.discriminator).toEqual({
        propertyName: 'kind',
        mapping: { c: '#/components/schemas/Cat_2' },
      });
    },
  );

  it('keeps names of schemas that it does not know', () => {
    const { S1Collection: first } = componentsOf(kinds(text, { mapping: { e: 'Eel' } }));
    expect(first?.discriminator).toEqual({ propertyName: 'kind', mapping: { e: 'Eel' } });
  });
});

describe('a reference into a schema of an OpenAPI document', () => {
  const geo = { type: 'object', properties: { lat: { type: 'number' } } };
  const address = { type: 'object', properties: { geo } };
  const spot = (reference: string, home: object): JsonSchema => ({
    type: 'object',
    properties: { home, spot: { $ref: reference } },
  });

  it('resolves if the schema around it is a component of its own', () => {
    const { S2Collection: second } = componentsOf(address, spot('#/properties/home/properties/geo', address));
    expect(second?.properties).toEqual({
      home: { $ref: '#/components/schemas/S1Collection' },
      spot: { $ref: '#/components/schemas/geo' },
    });
  });

  it.each([
    ['a definition of a member', spot('#/properties/home/$defs/Geo', { ...address, $defs: { Geo: geo } })],
    [
      'a definition of a definition',
      { ...spot('#/$defs/Home/$defs/Geo', {}), $defs: { Home: { ...address, $defs: { Geo: geo } } } },
    ],
  ])('resolves to %s', (_, schema) => {
    const { S1Collection: first, Geo } = componentsOf(schema);
    expect(first?.properties).toMatchObject({ spot: { $ref: '#/components/schemas/Geo' } });
    expect(Geo).toEqual(geo);
  });

  it('may be recursive', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#/properties/a/properties/tree' } } };
    const schema = spot('#/properties/a/properties/tree', {});
    const { tree: component } = componentsOf({
      ...schema,
      properties: { ...(schema.properties as object), a: { type: 'object', properties: { tree } } },
    });
    expect(component).toEqual({
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/tree' } },
    });
  });
});
