import type { Static } from '@sinclair/typebox';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Type,
  type ConfigObject,
  type MergePatch,
  type Module,
} from '../../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../../factories/processes/start-refusal';

const Money = Type.Object(
  { amount: Type.Integer(), currency: Type.String({ minLength: 3, examples: ['EUR'] }) },
  { description: 'An amount of money.' },
);
const Base = Type.Object({ id: Type.String(), name: Type.String() });
const Order = Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'] });

/** A category may contain another one. */
interface Category {
  title: string;
  parent?: Category;
  like?: Category[];
}
const Category = Type.Object({
  title: Type.String(),
  parent: Type.Optional(Type.Unsafe<Category>({ $ref: '#/schemas/Category' })),
  // What a patch replaces as a whole.
  like: Type.Optional(Type.Array(Type.Unsafe<Category>({ $ref: '#/schemas/Category' }))),
});
const Product = Type.Intersect([
  Base,
  Type.Object({
    price: Money,
    discount: Type.Optional(Type.Object(Money.properties, { description: 'Taken off.' })),
    category: Type.Optional(Type.Unsafe<Category>({ $ref: '#/schemas/Category' })),
  }),
]);
const Offer = Type.Object({
  id: Type.String(),
  only: Money,
  inside: Type.Array(Type.Unsafe<Category>({ $ref: '#/schemas/Category' })),
  late: Type.Optional(Money),
  taken: Type.Optional(Type.Union([Money, Type.Null()])),
});
type Product = Static<typeof Product>;

const shop = { id: '1', name: 'Chair', price: { amount: 5, currency: 'EUR' } };

class Products {
  kept: Product = shop;
  fetchAll = (): readonly Product[] => [this.kept];
  fetch = (): Product => this.kept;
  create = (data: Product): Product => data;
  patchList = (list: readonly { id: string }[]): readonly Product[] =>
    list.map(({ id }) => ({ ...this.kept, id }));
  replaceList = (list: readonly Product[]): readonly Product[] => list;
  patch = (
    _: string,
    data: MergePatch<Product>,
    { merge }: { merge: (a: Product, b: MergePatch<Product>) => Product },
  ) => merge(this.kept, data);
}

const service = (route: string, more: object = {}) =>
  defineRestService({
    route: `${route}[/:id]`,
    route_identifier_name: 'id',
    fields: Product,
    collection: {
      GET: { query: Type.Object({ order: Type.Optional(Order) }), sort: ['name'] },
      POST: {},
      PUT: {},
      PATCH: {},
    },
    entity: { GET: {}, PATCH: {} },
    resource: new Products(),
    ...more,
  });

const shopModule: Module = {
  name: 'shop',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Shop',
      versions: {
        1: {
          schemas: { Money, Base, Category, Product, Order, Unused: Type.Object({ none: Type.Null() }) },
          services: {
            Product: service('/products'),
            Strict: service('/strict', { unknown_members: 'refuse', fields: Offer }),
            Paged: service('/paged', { page_size: 2, selector: 'HalJson' }),
            Listed: defineRpcService({
              route: '/listed',
              selector: 'HalJson',
              methods: {
                GET: defineProcedure({ response: Type.Array(Category), handler: () => [{ title: 'a' }] }),
                POST: defineProcedure({
                  response: Type.Array(Type.Unsafe<string>({ $ref: '#/schemas/Order' })),
                  handler: () => ['asc'],
                }),
              },
            }),
            Sum: defineRpcService({
              route: '/sums/:of',
              parameters: { of: Type.Unsafe({ $ref: '#/schemas/Money/properties/currency' }) },
              methods: {
                GET: defineProcedure({
                  stream: ['application/x-ndjson'],
                  response: Money,
                  handler: () => [shop.price],
                }),
                POST: defineProcedure({
                  fields: Type.Object({ list: Type.Array(Money) }),
                  query: Type.Object({ order: Type.Unsafe<string>({ $ref: '#/schemas/Order' }) }),
                  response: Type.Array(Money),
                  handler: ({ body, query }) => [
                    { ...body.list[0], order: query.order, amount: 'much' } as never,
                  ],
                }),
              },
            }),
          },
        },
        2: {
          inherits: 1,
          schemas: { Money: Type.Object({ cents: Type.Integer() }) },
          services: { Sum: null },
        },
      },
    }),
  ],
};

const configured: ConfigObject = {
  schemas: {
    Pet: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    Cat: { allOf: [{ $ref: '#/schemas/Pet' }, { properties: { kind: { const: 'cat' } } }] },
    Animal: {
      anyOf: [{ $ref: '#/schemas/Cat' }, { type: 'object', properties: { kind: { const: 'dog' } } }],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/schemas/Cat', dog: 'Dog' } },
    },
  },
  services: {
    Pet: {
      kind: 'rpc',
      route: '/pets',
      methods: {
        POST: {
          fields: { $ref: '#/schemas/Pet' },
          response: { $ref: '#/schemas/Pet' },
          handler: 'not-implemented',
        },
        PUT: { fields: { $ref: '#/schemas/Animal' }, handler: 'not-implemented' },
      },
    },
  },
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    extra: [shopModule],
    local: {
      'platform-hosting': { check_responses: 'report', apis: { Pets: { versions: { 1: configured } } } },
    },
  });
});
afterAll(() => platform.stop());

const documentationOf = async (scope: string, format: string): Promise<Record<string, unknown>> =>
  bodyOf(await platform.request(`/platform/documentation${scope && `/${scope}`}?format=${format}`));
const openapi = async (scope: string): Promise<Record<string, unknown>> => documentationOf(scope, 'openapi');
const componentsOf = async (scope: string): Promise<Record<string, unknown>> =>
  ((await openapi(scope)).components as { schemas: Record<string, unknown> }).schemas;

/** The references of a document that do not resolve. */
function dangling(document: unknown, pattern = /"\$ref":"#([^"]*)"/g): readonly string[] {
  return [...JSON.stringify(document).matchAll(pattern)].flatMap(([, pointer = '']) => {
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
    return found === undefined ? [pointer] : [];
  });
}

describe('requests to operations with shared schemas', () => {
  const chair = { ...shop, id: '2' };
  const send = async (path: string, value: unknown, method?: string): Promise<[number, unknown]> => {
    const answer = await platform.request(path, sendJson(value, method));
    const { errors } = answer.status < 400 ? { errors: undefined } : await bodyOf(answer);
    return [answer.status, (errors as { pointer: string }[] | undefined)?.map(({ pointer }) => pointer)];
  };

  it('are validated against the shared schema, wherever it is referenced', async () => {
    expect(await send('/v1/products', chair)).toEqual([201, undefined]);
    expect(await send('/v1/products', { ...chair, price: { amount: 1.5 } })).toEqual([
      422,
      ['/price/currency', '/price/amount'],
    ]);
    const within = { title: 'a', parent: { title: 'b', parent: {} } };
    expect(await send('/v1/products', { ...chair, category: within })).toEqual([
      422,
      ['/category/parent/parent/title'],
    ]);
    expect(await send('/v1/products', [{ ...chair, price: 7 }], 'PUT')).toEqual([422, ['/0/price']]);
    expect(await send('/v1/pets', {})).toEqual([422, ['/name']]);
    expect(await send('/v1/pets', { name: 'Rex' })).toEqual([501, undefined]);
  });

  it('may be patches of the shared schema, member by member', async () => {
    const patched = await platform.request('/v1/products/1', sendJson({ price: { amount: 7 } }, 'PATCH'));
    expect(await bodyOf(patched)).toMatchObject({ price: { amount: 7, currency: 'EUR' } });
    expect(await send('/v1/products/1', { category: null }, 'PATCH')).toEqual([200, undefined]);
    expect(await send('/v1/products/1', { category: { parent: { title: 3 } } }, 'PATCH')).toEqual([
      422,
      expect.arrayContaining(['/category/parent/title']),
    ]);
    expect(await send('/v1/products', [{ price: {} }], 'PATCH')).toEqual([422, ['/0/id']]);
    expect(await send('/v1/products', [{ id: '1', price: { amount: 2 } }], 'PATCH')).toEqual([
      200,
      undefined,
    ]);
    expect(await send('/v1/products/1', { name: null }, 'PATCH')).toEqual([422, ['/name']]);
    expect(await send('/v1/products/1', { price: { currency: 'E' } }, 'PATCH')).toEqual([
      422,
      ['/price/currency'],
    ]);
  });

  it('have no undeclared members when a service forbids them', async () => {
    const price = { ...shop.price, tax: 1 };
    const category = { title: 'a', parent: { title: 'b', colour: 'red' } };
    expect(await send('/v1/products', { ...chair, price, category })).toEqual([201, undefined]);
    const returned = { id: '3', only: shop.price, inside: [{ title: 'a', parent: { title: 'b' } }] };
    expect(await send('/v1/strict', returned)).toEqual([201, undefined]);
    expect(await send('/v1/strict', { ...returned, only: price, inside: [category] })).toEqual([
      422,
      ['/only/tax', '/inside/0/parent/colour'],
    ]);
    expect(await send('/v1/strict', { ...returned, taken: null })).toEqual([201, undefined]);
    expect(await send('/v1/strict', { ...returned, taken: price })).toEqual([
      422,
      expect.arrayContaining(['/taken/tax']),
    ]);
    expect(await send('/v1/strict/3', { only: { tax: 1 } }, 'PATCH')).toEqual([422, ['/only/tax']]);
    for (const name of ['late', 'taken']) {
      const refused = await send('/v1/strict/3', { [name]: price }, 'PATCH');
      expect(refused).toEqual([422, expect.arrayContaining([`/${name}/tax`])]);
    }
    expect(Object.keys(await componentsOf('Shop-v1/Strict')).sort()).toEqual([
      'Category',
      'CategoryClosed',
      'Money',
      'MoneyClosed',
      'MoneyPatchClosed',
      'Problem',
      'Strict',
      'StrictCollection',
      'StrictCreateRequest',
      'StrictPatchListRequest',
      'StrictPatchRequest',
      'StrictReplaceListRequest',
    ]);
  });

  it('have shared parameters', async () => {
    const list = [shop.price];
    expect(await send('/v1/sums/EUR?order=asc', { list })).toEqual([200, undefined]);
    expect((await platform.request('/v1/sums/EUR?order=up', sendJson({ list }))).status).toBe(400);
    expect((await platform.request('/v1/sums/EUR', sendJson({ list }))).status).toBe(400);
    expect((await platform.request('/v1/products?sort=name')).status).toBe(200);
  });

  it('have responses that are checked against it', async () => {
    await send('/v1/sums/EUR?order=asc', { list: [shop.price] });
    const told = platform.log.lines.filter(({ level }) => level === 'warn').map((line) => line.message);
    expect(told).toContainEqual(expect.stringContaining('/*/amount must be integer'));
  });

  it('are validated against the schema that an inheriting version shares instead', async () => {
    expect(await send('/v2/products', { ...chair, price: { cents: 5 } })).toEqual([201, undefined]);
    expect(await send('/v2/products', chair)).toEqual([422, ['/price/cents']]);
  });
});

describe('the documentation of operations with shared schemas', () => {
  it('contains them as components, once and by their names', async () => {
    const schemas = await componentsOf('Shop-v1');
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Base', 'Category', 'Money', 'Product']));
    expect(Object.keys(schemas)).not.toContain('Unused');
    expect(schemas.Product).toMatchObject({
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { properties: { price: { $ref: '#/components/schemas/Money' } } },
      ],
    });
    expect(schemas.Category).toMatchObject({
      properties: { parent: { $ref: '#/components/schemas/Category' } },
    });
    expect(Object.keys(schemas).filter((name) => /_\d+$/.test(name))).toEqual([]);
  });

  it.each([
    '',
    'Shop-v1',
    'Shop-v2',
    'Shop-v1/Product',
    'Shop-v1/Strict',
    'Shop-v1/Paged',
    'Shop-v1/Listed',
    'Shop-v1/Sum',
    'Pets',
  ])('has no dangling references: %s', async (scope) => {
    const document = await openapi(scope);
    expect(dangling(document)).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/\$defs|#\/schemas/);
    const swagger = await documentationOf(scope, 'swagger');
    expect(dangling(swagger)).toEqual([]);
    const json = await documentationOf(scope, 'json');
    expect(JSON.stringify(json)).not.toContain('#/schemas');
  });

  it('distinguishes schemas with equal component names', async () => {
    const { Animal } = await componentsOf('Pets');
    expect(Animal).toMatchObject({
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    });
  });

  it('references the shared schemas in requests and responses', async () => {
    const { paths } = (await openapi('Shop-v1')) as { paths: Record<string, Record<string, unknown>> };
    expect(paths['/v1/products/{id}']?.get).toMatchObject({
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Product' } } } },
      },
    });
    expect(paths['/v1/sums/{of}']?.post).toMatchObject({
      parameters: [
        { name: 'of', schema: { type: 'string', minLength: 3 } },
        { name: 'order', schema: { type: 'string', enum: ['asc', 'desc'] } },
      ],
    });
  });

  it('lists the members of shared schemas, and a field includes only what it refers to', async () => {
    const { fields } = (await bodyOf(
      await platform.request('/platform/documentation/Shop-v1/Product?format=json'),
    )) as { fields: { name: string; type: string; schema: Record<string, unknown> }[] };
    const of = (wanted: string) => fields.find(({ name }) => name === wanted);
    expect(of('price')).toMatchObject({ type: 'object', schema: { properties: { amount: {} } } });
    expect(Object.keys(of('category')?.schema.$defs as object)).toEqual(['Category']);
    expect(of('price')?.schema).not.toHaveProperty('$defs');
  });

  it('includes the links of shared schemas in HAL', async () => {
    const answer = await platform.request('/v1/listed');
    expect(await answer.json()).toMatchObject({ _embedded: { items: [{ title: 'a' }] } });
    const { paths, components } = (await openapi('Shop-v1')) as {
      paths: Record<string, Record<string, unknown>>;
      components: { schemas: Record<string, unknown> };
    };
    expect(components.schemas.ListedGetResponse).toMatchObject({
      properties: {
        _embedded: {
          properties: {
            items: {
              items: {
                properties: { _links: {}, title: {}, parent: { $ref: '#/components/schemas/Category' } },
              },
            },
          },
        },
      },
    });
    expect(components.schemas.ListedPostResponse).toMatchObject({
      properties: { items: { items: { $ref: '#/components/schemas/Order' } }, total_items: {} },
    });
    expect(JSON.stringify(paths['/v1/sums/{of}']?.get)).toContain(
      '"contentSchema":{"$ref":"#/components/schemas/Money"}',
    );
  });

  it('contains the shared schemas of each version', async () => {
    expect((await componentsOf('Shop-v2')).Money).toMatchObject({ properties: { cents: {} } });
    expect((await componentsOf('Shop-v1')).Money).toMatchObject({ properties: { amount: {} } });
  });
});

describe('the platform does not start with shared schemas', () => {
  const refusal = (version: ConfigObject) =>
    startRefusal({
      modules: HOSTING,
      local: { 'platform-hosting': { apis: { Shop: { versions: { 1: version } } } } },
    });
  const operation = (said: ConfigObject): ConfigObject => ({
    Item: { kind: 'rpc', route: '/items', methods: { POST: { handler: 'not-implemented', ...said } } },
  });
  const price: ConfigObject = { type: 'object', properties: { price: { $ref: '#/schemas/Mony' } } };
  const money: ConfigObject = { type: 'integer' };

  it.each<[string, ConfigObject, string]>([
    [
      'that do not exist',
      { schemas: { Money: money, Base: {} }, services: operation({ fields: price }) },
      'The service Item of Shop-v1: methods POST: fields refers to "#/schemas/Mony" at properties.price, which is not in the "schemas" of the version. Available: Money, Base. Did you mean "Money"?',
    ],
    [
      'with no schemas at all',
      { services: operation({ query: price }) },
      'The service Item of Shop-v1: methods POST: query refers to "#/schemas/Mony" at properties.price, which is not in the "schemas" of the version. Available: none: declare it there.',
    ],
    [
      'that refer to missing ones',
      { schemas: { Price: price } },
      'Version 1 of the API Shop: schemas.Price refers to "#/schemas/Mony" at properties.price, which is not in the "schemas" of the version. Available: Price.',
    ],
    [
      'with an unknown pointer',
      {
        schemas: { Money: money },
        services: operation({ fields: { $ref: '#/schemas/Money/properties/x' } }),
      },
      'The service Item of Shop-v1: methods POST: fields refers to "#/schemas/Money/properties/x", where there is no schema.',
    ],
    [
      'that are circular',
      { schemas: { A: { anyOf: [{ $ref: '#/schemas/B' }] }, B: { $ref: '#/schemas/A' } } },
      'Version 1 of the API Shop: circular schema references: A → B → A. Remove one of them.',
    ],
    [
      'that are invalid',
      { schemas: { Fine: { properties: { a: { $ref: '#/schemas/Money' } } }, Money: { type: 'money' } } },
      'Version 1 of the API Shop: the schema "Money" cannot be used: type is "money"; allowed: array, boolean, integer, null, number, object, string',
    ],
    [
      'that a schema also defines',
      {
        schemas: { Money: money },
        services: operation({
          fields: { type: 'object', properties: { a: { $ref: '#/schemas/Money' } }, $defs: { Money: {} } },
        }),
      },
      'The service Item of Shop-v1: methods POST: fields has its own "Money" in "$defs", but the version shares a schema of that name. Rename one of them.',
    ],
    [
      'that a parameter cannot use',
      {
        schemas: { Tree: { type: 'object', properties: { tree: { $ref: '#/schemas/Tree' } } } },
        services: operation({ query: { type: 'object', properties: { tree: { $ref: '#/schemas/Tree' } } } }),
      },
      'The service Item of Shop-v1: methods POST: query: "#/schemas/Tree" references itself, which a parameter cannot. Write out the schema of the parameter.',
    ],
  ])('%s', async (_, version, message) => {
    expect(await refusal(version)).toBe(message);
  });
});
