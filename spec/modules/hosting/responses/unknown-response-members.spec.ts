import {
  ContainerModule,
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  ServerSentEvent,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';

const fields = Type.Object({ product_id: Type.String(), name: Type.String() });
const stored = { product_id: '1', name: 'Globe', password: 'secret-value', author_id: '7' };

function products(route: string, unknown_response_members?: 'drop' | 'keep' | 'refuse') {
  return defineRestService({
    route: `${route}[/:product_id]`,
    route_identifier_name: 'product_id',
    fields,
    page_size: 2,
    selector: 'Both',
    accept: ['application/json', 'application/hal+json'],
    ...(unknown_response_members === undefined ? {} : { unknown_response_members }),
    collection: { GET: {}, POST: {} },
    entity: { GET: {} },
    resource: {
      fetchAll: () => ({ items: [stored, stored], total: 5 }),
      fetch: () => stored,
      create: () => stored,
      // Computed from members that clients do not receive.
      links: (product) => ({ author: `/authors/${String(Reflect.get(product, 'author_id'))}` }),
      embedded: () => ({ maker: { name: 'Ada' } }),
    },
  });
}

/** A resource that changes its entities while it builds their links. */
function changed(route: string, unknown_response_members: 'drop' | 'refuse') {
  const fresh = (): { product_id: string; name: string } => ({ product_id: '1', name: 'Globe' });
  return defineRestService({
    route: `${route}[/:product_id]`,
    route_identifier_name: 'product_id',
    fields,
    selector: 'Both',
    accept: ['application/json', 'application/hal+json'],
    unknown_response_members,
    collection: { GET: {} },
    entity: { GET: {} },
    resource: {
      fetchAll: () => [fresh()],
      fetch: fresh,
      links: (product) => {
        Object.assign(product, { password: 'secret-value' });
        return {};
      },
    },
  });
}

const Feed = defineRpcService({
  route: '/feed',
  methods: {
    GET: defineProcedure({
      stream: ['application/x-ndjson', 'text/event-stream'],
      response: fields,
      handler: async function* () {
        yield await Promise.resolve(stored);
        yield new ServerSentEvent(stored, { event: 'offer' });
      },
    }),
  },
});

const Listed = defineRpcService({
  route: '/listed',
  methods: { GET: defineProcedure({ response: Type.Array(fields), handler: () => [stored] }) },
});

const shop: Module = {
  name: 'shop',
  requires: ['hosting'],
  services: new ContainerModule(({ bind }) => {
    bind('stored').toConstantValue({ fetch: () => stored });
  }),
  apis: [
    defineApi({
      name: 'Shop',
      versions: {
        1: {
          services: {
            Product: products('/products'),
            Kept: products('/kept', 'keep'),
            Refused: products('/refused', 'refuse'),
            Changed: changed('/changed', 'drop'),
            ChangedRefused: changed('/changed-refused', 'refuse'),
            Feed,
            Listed,
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;

beforeAll(async () => {
  const Configured = {
    route: '/configured[/:product_id]',
    route_identifier_name: 'product_id',
    fields: { type: 'object', properties: { name: { type: 'string' } } },
    unknown_response_members: 'keep',
    entity: { GET: {} },
    resource: 'stored',
  };
  platform = await startTestPlatform({
    extra: [shop],
    local: {
      'platform-content-negotiation': {
        selectors: { Both: { JsonModel: ['application/json'], HalJsonModel: ['application/hal+json'] } },
      },
      'platform-hosting': {
        check_responses: 'report',
        apis: { Shop: { versions: { 1: { services: { Configured } } } } },
      },
    },
  });
});

afterAll(() => platform.stop());

async function get(path: string, accept = 'application/json'): Promise<unknown> {
  const answer = await platform.request(path, { headers: { Accept: accept } });
  return accept.includes('json') && !accept.includes('ndjson') ? answer.json() : answer.text();
}

const declared = { product_id: '1', name: 'Globe' };

describe('a response member that the response schema does not declare', () => {
  it('is removed from entities, pages, lists and created entities', async () => {
    expect(await get('/products/1')).toEqual(declared);
    expect(await get('/products')).toEqual({
      items: [declared, declared],
      page: 1,
      page_size: 2,
      page_count: 3,
      total_items: 5,
    });
    expect(await get('/listed')).toEqual([declared]);
  });

  it('is removed from HAL, whose links are built from it and stay', async () => {
    const shown = {
      _links: { self: { href: '/products/1' }, author: { href: '/authors/7' } },
      ...declared,
      _embedded: { maker: { name: 'Ada' } },
    };
    expect(await get('/products/1', 'application/hal+json')).toEqual(shown);
    expect(await get('/products', 'application/hal+json')).toMatchObject({
      _links: { next: { href: '/products?page=2' } },
      _embedded: { items: [shown, shown] },
      total_items: 5,
    });
  });

  it('is removed from the items of streams', async () => {
    const line = JSON.stringify(declared);
    expect(await get('/feed', 'application/x-ndjson')).toBe(`${line}\n${line}\n`);
    expect(await get('/feed', 'text/event-stream')).toBe(`data: ${line}\n\nevent: offer\ndata: ${line}\n\n`);
  });

  it('is sent when the service keeps them, in code and in configuration', async () => {
    expect(await get('/kept/1')).toEqual(stored);
    expect(await get('/configured/1')).toEqual(stored);
  });

  it('is a bare 500 when the service rejects them, and the log names the member', async () => {
    const answer = await platform.request('/refused/1', { headers: { Accept: 'application/json' } });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('password');
    const [line] = platform.log.lines.filter(({ level }) => level === 'error');
    expect(String(Reflect.get(Object(Reflect.get(Object(line?.details), 'err')), 'message'))).toContain(
      'Shop-v1/Refused entity GET returned /password, /author_id, which its response schema does not declare.',
    );
  });

  it('is reported once per operation, by its name and without its value', async () => {
    await get('/products/1');
    await get('/products/1', 'application/hal+json');
    const lines = platform.log.lines.filter(({ message }) =>
      message.startsWith('Shop-v1/Product entity GET'),
    );
    expect(lines).toEqual([
      {
        level: 'warn',
        details: {
          module: 'hosting',
          operation: 'Shop-v1/Product entity GET',
          members: ['/password', '/author_id'],
        },
        message:
          'Shop-v1/Product entity GET is sent without /password, /author_id: the response schema does not declare these members. ' +
          'Declare what clients should get, or set unknown_response_members to "keep".',
      },
    ]);
    expect(JSON.stringify(platform.log.lines)).not.toContain('secret-value');
  });
});

describe('an undeclared member that is added while links are built', () => {
  it('is removed from HAL, or rejected', async () => {
    const hal = { headers: { Accept: 'application/hal+json' } };
    for (const path of ['/changed/1', '/changed']) {
      const answer = await platform.request(path, hal);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      expect(text).toContain('Globe');
      expect(text).not.toContain('secret-value');
      const refused = await platform.request(path.replace('/changed', '/changed-refused'), hal);
      expect(refused.status).toBe(500);
      expect(await refused.text()).not.toContain('secret-value');
    }
  });
});
