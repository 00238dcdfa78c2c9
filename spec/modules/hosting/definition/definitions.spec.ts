import { Catalogue } from '../../../../src/modules/hosting';
import {
  ContainerModule,
  defineApi,
  defineRpcService,
  type ApiDefinition,
  type ConfigObject,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform, type TestProject } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { ShopModule } from '../../../fixtures/shop/shop-module';
import { Products } from '../../../fixtures/shop/products';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';

/** Declares its API in a method, which uses other members. */
class ClockModule implements Module {
  readonly name = 'clock';
  readonly requires = ['hosting'];
  readonly #route = '/clock';

  apis(): readonly ApiDefinition[] {
    const Now = defineRpcService({ route: this.#route, methods: { GET: { handler: () => 12 } } });
    return [defineApi({ name: 'Clock', versions: { 1: { services: { Now } } } })];
  }
}

/** Resources and procedures for APIs declared in configuration. */
class StockModule implements Module {
  readonly name = 'stock';
  readonly services = new ContainerModule(({ bind }) => {
    bind('StockProducts').toConstantValue(new Products());
    bind('countStock').toConstantValue(({ query }: { query: unknown }) => ({ counted: query }));
  });
}

const stock: ConfigObject = {
  Stock: {
    description: 'What is there.',
    versions: {
      3: {
        services: {
          Item: {
            route: '/stock/items[/:product_id]',
            route_identifier_name: 'product_id',
            fields: {
              type: 'object',
              properties: { product_id: { type: 'string' }, title: { type: 'string', maxLength: 5 } },
              required: ['title'],
            },
            accept: ['application/json'],
            collection: { GET: {}, POST: {} },
            entity: { GET: {} },
            resource: 'StockProducts',
          },
          Count: {
            kind: 'rpc',
            route: '/stock/count',
            methods: {
              GET: {
                handler: 'countStock',
                query: { type: 'object', properties: { shelf: { type: 'integer' } } },
              },
            },
          },
        },
      },
    },
  },
};

const started = async (
  project: TestProject,
  test: (platform: TestPlatform) => Promise<void>,
): Promise<void> => {
  const platform = await startTestPlatform({ modules: HOSTING, ...project });
  try {
    await test(platform);
  } finally {
    await platform.stop();
  }
};

describe('an API that is declared in configuration only', () => {
  const project = { extra: [new StockModule()], local: { 'platform-hosting': { apis: stock } } };

  it('is hosted with the resource and the procedure it names', () =>
    started(project, async (platform) => {
      const created = await platform.request(
        '/v3/stock/items',
        sendJson({ product_id: '7', title: 'A cup' }),
      );
      expect(created.status).toBe(201);
      expect(created.headers.get('location')).toBe('/v3/stock/items/7');
      expect(await bodyOf(await platform.request('/stock/items/7'))).toMatchObject({ title: 'A cup' });
      const counted = await platform.request('/stock/count?shelf=4');
      expect(await counted.json()).toEqual({ counted: { shelf: 4 } });
    }));

  it('is validated against its schemas', () =>
    started(project, async (platform) => {
      const answer = await platform.request('/stock/items', sendJson({ title: 'A long title' }));
      expect(answer.status).toBe(422);
      expect((await bodyOf(answer)).errors).toEqual([
        expect.objectContaining({ pointer: '/title', keyword: 'maxLength' }),
      ]);
      expect((await platform.request('/stock/count?shelf=top')).status).toBe(400);
    }));

  it('responds only with the types it lists', () =>
    started(project, async (platform) => {
      const headers = { Accept: 'application/vnd.stock.v3+json' };
      expect((await platform.request('/stock/items', { headers })).status).toBe(406);
    }));
});

describe('an API that a method of a module declares', () => {
  it('is hosted as the other members of the module say', () =>
    started({ extra: [new ClockModule()] }, async (platform) => {
      expect(await (await platform.request('/clock')).json()).toBe(12);
    }));
});

describe('an API of a module, overridden by configuration', () => {
  const shop = (version: number, services: ConfigObject): ConfigObject => ({
    'platform-hosting': { apis: { Shop: { versions: { [version]: { services } } } } },
  });

  it('is described as configured', () =>
    started(
      {
        extra: [new ShopModule()],
        local: { 'platform-hosting': { apis: { Shop: { description: 'Sells cups.' } } } },
      },
      async ({ application }) => {
        const catalogue = await application.services.get(Catalogue);
        expect(catalogue.api('Shop')).toMatchObject({ description: 'Sells cups.', defaultVersion: 2 });
        expect(catalogue.version('Shop', 1)?.services.map(({ name }) => name)).toContain('Product');
      },
    ));

  it('is closed where configured, and open elsewhere', () =>
    started(
      {
        extra: [new ShopModule()],
        local: {
          ...authenticatedBy('basic'),
          ...shop(1, { Product: { collection: { POST: { authorization: 'authenticated' } } } }),
        },
        files: PEOPLE,
      },
      async (platform) => {
        const post = sendJson({ title: 'A cup' });
        expect((await platform.request('/v1/shop/products', post)).status).toBe(401);
        expect((await platform.request('/v2/shop/products', post)).status).toBe(201);
        expect((await platform.request('/v1/shop/products')).status).toBe(200);
      },
    ));

  it('uses another page size, limit and route', () =>
    started(
      {
        extra: [new ShopModule()],
        local: shop(1, {
          Product: { page_size: 4, body_limit: 10 },
          Video: { route: '/moving-pictures' },
        }),
      },
      async (platform) => {
        expect(await bodyOf(await platform.request('/v1/shop/products'))).toMatchObject({ page_size: 4 });
        expect((await platform.request('/v1/shop/products', sendJson({ title: 'A cup' }))).status).toBe(413);
        expect((await platform.request('/v1/moving-pictures')).status).toBe(200);
        expect((await platform.request('/v1/my-video')).status).toBe(404);
      },
    ));

  it('has an additional service', () =>
    started(
      {
        extra: [new ShopModule(), new StockModule()],
        local: shop(2, {
          Count: { kind: 'rpc', route: '/shop/count', methods: { GET: { handler: 'countStock' } } },
        }),
      },
      async (platform) => {
        expect(await bodyOf(await platform.request('/v2/shop/count'))).toEqual({ counted: {} });
      },
    ));

  it('shares no record with another application of the same module', () =>
    started(
      { extra: [new ShopModule()], local: shop(2, { Shelf: { accept: ['application/json'] } }) },
      async () =>
        started({ extra: [new ShopModule()] }, async (platform) => {
          const headers = { Accept: 'application/vnd.shop.v2+json' };
          expect((await platform.request('/shop/shelves', { headers })).status).toBe(200);
        }),
    ));
});
