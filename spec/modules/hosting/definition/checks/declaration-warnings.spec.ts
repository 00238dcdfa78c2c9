import { defineApi, Type, type ApiDefinition, type ConfigObject } from '../../../../../src/platform';
import { startTestPlatform } from '../../../../factories/platform';
import { HOSTING } from '../../../../factories/processes/start-refusal';

const fields = Type.Object({ id: Type.String(), name: Type.String(), price: Type.Number() });
const product = {
  route: '/products[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: { GET: {} },
  resource: { fetchAll: () => [], fetch: () => null, update: () => null, deleteList: () => undefined },
};
const WHERE = 'The service Product of Shop-v1';

/** As plain JavaScript would declare it. */
const warningsOf = async (
  services: object,
  schemas: object = {},
  local: ConfigObject = {},
): Promise<readonly string[]> => {
  const api = defineApi({ name: 'Shop', versions: { 1: { services, schemas } } } as ApiDefinition);
  const extra = [{ name: 'shop', requires: ['hosting'], apis: [api] }];
  const platform = await startTestPlatform({ modules: HOSTING, extra, local });
  const { warnings } = platform.application;
  await platform.stop();
  return warnings.filter((one) => one.includes('Shop'));
};
const productWith = (changes: object) => warningsOf({ Product: { ...product, ...changes } });
const schemaOf = (member: ConfigObject) => ({
  type: 'object',
  properties: { id: { type: 'string' }, member },
});

describe('a start warns', () => {
  it.each([
    ['requried', { type: 'object', requried: ['a'] }, 'required'],
    ['proprties', { type: 'object', proprties: { a: {} } }, 'properties'],
    ['minLenght', { type: 'string', minLenght: 1 }, 'minLength'],
    ['readonly', { type: 'string', readonly: true }, 'readOnly'],
  ])('about the misspelt keyword "%s" of a schema, once', async (keyword, member, meant) => {
    expect(await productWith({ fields: schemaOf(member), entity: { GET: {}, PUT: {} } })).toEqual([
      `${WHERE}: fields: the keyword "${keyword}" is unknown and has no effect. Did you mean "${meant}"? Begin the names of other keywords with "x-".`,
    ]);
  });

  it('about misspelt keywords of shared schemas, of queries and in configuration', async () => {
    const schemas = { Money: { type: 'string', patern: '^[A-Z]{3}$' } };
    const GET = { query: Type.Object({ q: Type.Optional(Type.Unsafe({ type: 'string', maxLenght: 9 })) }) };
    const services = { Product: { fields: schemaOf({ type: 'string', eunm: ['a'] }) } };
    const local = { 'platform-hosting': { apis: { Shop: { versions: { 1: { services } } } } } };
    expect(await warningsOf({ Product: { ...product, collection: { GET } } }, schemas, local)).toEqual([
      expect.stringContaining('Version 1 of the API Shop: schemas.Money: the keyword "patern"'),
      expect.stringContaining(`${WHERE}: fields: the keyword "eunm"`),
      expect.stringContaining(`${WHERE}: collection GET: query: the keyword "maxLenght"`),
    ]);
  });

  it('about a misspelt keyword once, with the first places and the number of others', async () => {
    const GET = { handler: () => null, response: { type: 'string', comment: 'generated', patern: '^a' } };
    const services = Array.from({ length: 5 }, (_, at): [string, object] => [
      `S${at}`,
      { kind: 'rpc', route: `/s${at}`, methods: { GET } },
    ]);
    expect(await warningsOf(Object.fromEntries(services))).toEqual([
      'The service S0 of Shop-v1: methods GET: response, The service S1 of Shop-v1: methods GET: response, The service S2 of Shop-v1: methods GET: response and 2 more: the keyword "patern" is unknown and has no effect. Did you mean "pattern"? Begin the names of other keywords with "x-".',
    ]);
  });

  it('about names without their control characters', async () => {
    const name = 'requ\u001bired';
    expect(
      await productWith({
        fields: schemaOf({ [name]: ['a'] }),
        parameters: { id: Type.String(), [name]: Type.String() },
      }),
    ).toEqual([
      expect.stringContaining('the keyword "requ\\u001bired"'),
      expect.stringContaining('parameters has "requ\\u001bired"'),
    ]);
    const fields = Type.Object({ id: Type.String(), require: Type.String() });
    expect(await productWith({ fields, collection: { GET: { sort: ['requ\u001bire'] } } })).toEqual([
      expect.stringContaining('sort has "requ\\u001bire"'),
    ]);
  });

  it.each([
    ['/v1/products[/:id]', /: the route begins with a version, .* Remove it\.$/],
    ['[/v1]/products[/:id]', /: the route begins with a version, .* Remove it\.$/],
    ['/products/[/:id]', /: the route has an empty segment .* Remove one slash\.$/],
    ['/shop/[eu]/products[/:id]', /: the route has an empty segment .* Remove one slash\.$/],
    ['/shop//products[/:id]', /: the route has an empty segment .* Remove one slash\.$/],
    ['/my%20products[/:id]', /: the route has a percent-encoded character, .* Write the character itself\.$/],
  ])('about the route %s', async (route, warning) => {
    const warnings = await productWith({ route });
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect(warnings[0]).toContain(`${WHERE}: ${route}: `);
  });

  it.each([
    '/v1beta/products[/:id]',
    '/shop/v1/products[/:id]',
    '/my products/100%[/:id]',
    '/products/[:id]',
    '/products[/:id(\\d+%2[0-9]|a//b)]',
  ])('about nothing for the route %s', async (route) => {
    expect(await productWith({ route })).toEqual([]);
  });

  it('about the schema of a parameter that the route does not have', async () => {
    expect(await productWith({ parameters: { id: Type.String(), ids: Type.Integer() } })).toEqual([
      `${WHERE}: parameters has "ids", which the route does not have, so that it has no effect. Did you mean "id"? Available: id.`,
    ]);
  });

  it('about a misspelt name of an order, once for GET and QUERY', async () => {
    const sort = ['nmae', 'distance', 'price'];
    const resource = { ...product.resource, queryAll: () => [] };
    expect(await productWith({ resource, collection: { GET: { sort }, QUERY: {} } })).toEqual([
      `${WHERE}: sort has "nmae", which the fields do not declare. Did you mean "name"?`,
    ]);
  });

  it('about the parameters and orders of hundreds of services once, with the first ones and the number of others', async () => {
    const collection = { GET: { sort: ['nmae'] } };
    const services = Array.from({ length: 200 }, (_, at): [string, object] => [
      `S${at}`,
      { ...product, route: `/s${at}[/:id]`, parameters: { ids: Type.Integer() }, collection },
    ]);
    const those =
      'The service S0 of Shop-v1, The service S1 of Shop-v1, The service S2 of Shop-v1 and 197 more';
    expect(await warningsOf(Object.fromEntries(services))).toEqual([
      `${those}: parameters has "ids", which the route does not have, so that it has no effect. Did you mean "id"? Available: id.`,
      `${those}: sort has "nmae", which the fields do not declare. Did you mean "name"?`,
    ]);
  });

  it('about media types of bodies that are neither JSON nor forms, where bodies are read', async () => {
    const content_type = ['application/json', 'Text/CSV; header=present', 'image/svg+xml', 'text/plain'];
    const procedure = { kind: 'rpc', content_type };
    const others = ['multipart/mixed', 'multipart/form-data', 'application/csp-report', 'application/a+json'];
    expect(
      await warningsOf({
        Send: { ...procedure, route: '/send', methods: { POST: { fields, handler: () => null } } },
        Raw: { ...procedure, route: '/raw', methods: { POST: { handler: () => null } } },
        Product: { ...product, entity: { PUT: { content_type: others } } },
      }),
    ).toEqual([
      ...['text/csv', 'image/svg+xml'].map(
        (type) =>
          `Shop-v1/Send POST: content_type has "${type}", but a body is read as JSON or as a form, so that others are refused with 400. Remove it. A procedure without "fields" reads the bytes with event.request.read(limit).`,
      ),
      expect.stringContaining('Shop-v1/Product entity PUT: content_type has "multipart/mixed"'),
    ]);
  });

  it('about the schema of a body that requests do not have', async () => {
    const procedure = { kind: 'rpc', route: '/find', methods: { GET: { fields, handler: () => null } } };
    const collection = { GET: { fields }, DELETE: { fields } };
    expect(await warningsOf({ Find: procedure, Product: { ...product, collection } })).toEqual([
      'The service Find of Shop-v1: GET: "fields" is the schema of a body, which browsers and many proxies do not send with GET. Declare parameters in "query", or use POST.',
      `${WHERE}: collection GET, ${WHERE}: collection DELETE: "fields" has no effect, as these requests have no body. Remove it.`,
    ]);
  });

  it('about such schemas of hundreds of operations once, with the first ones and the number of others', async () => {
    const services = Array.from({ length: 200 }, (_, at): [string, object] => [
      `S${at}`,
      { ...product, route: `/s${at}[/:id]`, collection: { GET: { fields } } },
    ]);
    expect(await warningsOf(Object.fromEntries(services))).toEqual([
      expect.stringMatching(/^The service S0 of Shop-v1: collection GET, .* and 197 more: "fields" has no/),
    ]);
  });
});

describe('a start does not warn', () => {
  it.each([
    [
      'of OpenAPI',
      { example: 'a', nullable: true, xml: { name: 'a' }, discriminator: { propertyName: 'a' } },
    ],
    ['of other drafts of JSON Schema', { dependencies: {}, additionalItems: false, $recursiveRef: '#' }],
    [
      'of a vocabulary',
      { markdownDescription: 'a', enumNames: ['a'], errorMessage: 'a', 'x-requried': true },
    ],
    ['that are plurals of others', { formats: ['a'], titles: { de: 'a' }, defaults: {} }],
    ['that resemble those with "$"', { comment: 'a', schema: 'a', anchor: 'a', $description: 'a' }],
    ['that are numbered', { description2: 'a', title1: 'a' }],
    ['next to those that they resemble', { requires: ['a'], required: ['a'] }],
  ])('about keywords %s', async (_, member) => {
    expect(await productWith({ fields: schemaOf({ type: 'object', ...member }) })).toEqual([]);
  });

  it('about members, values and examples with such names', async () => {
    const member = {
      type: 'object',
      properties: { requried: { const: { minLenght: 1 } } },
      examples: [{ proprties: 1 }],
      default: { patern: 1 },
    };
    expect(await productWith({ fields: schemaOf(member) })).toEqual([]);
  });

  it('about an order whose names resemble members that mean something else', async () => {
    const names = ['address1', 'total2', 'x_coord', 'height'];
    const others = Type.Object(Object.fromEntries(['id', ...names].map((name) => [name, Type.String()])));
    const sort = ['address2', 'total1', 'y_coord', 'weight'];
    expect(await productWith({ fields: others, collection: { GET: { sort } } })).toEqual([]);
  });

  it('about an order that only the resource knows, or whose members are unknown', async () => {
    expect(await productWith({ collection: { GET: { sort: ['distance', 'author.name'] } } })).toEqual([]);
    const open = Type.Intersect([Type.Object({ id: Type.String() }), Type.Object({ label: Type.String() })]);
    expect(await productWith({ fields: open, collection: { GET: { sort: ['label'] } } })).toEqual([]);
  });
});
