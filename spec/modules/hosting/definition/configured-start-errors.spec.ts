import { ContainerModule, type ConfigObject, type Module } from '../../../../src/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { ShopModule } from '../../../fixtures/shop/shop-module';

describe('the platform does not start with a configured API', () => {
  const refusal = (apis: ConfigObject, extra: readonly Module[] = []) =>
    startRefusal({ modules: HOSTING, extra, local: { 'platform-hosting': { apis } } });
  const service = (declared: ConfigObject): ConfigObject => ({
    Stock: { versions: { 1: { services: { Item: declared } } } },
  });
  const rest: ConfigObject = {
    route: '/stock[/:id]',
    route_identifier_name: 'id',
    fields: { type: 'object' },
    entity: { GET: {} },
  };

  it.each<[string, ConfigObject, string | RegExp]>([
    [
      'that has no version',
      { Stock: {} },
      'The API Stock has no versions. Add one, such as versions: { 1: { services } }.',
    ],
    [
      'whose versions are removed',
      { Stock: { versions: null } },
      'The API Stock has no versions. Add one, such as versions: { 1: { services } }.',
    ],
    [
      'whose service has no route',
      service({ kind: 'rpc' }),
      'The service Item of Stock-v1 has no route, no methods.',
    ],
    [
      'whose fields are missing, with other errors',
      service({
        route: '/stock[/:id',
        route_identifier_name: 'id',
        resource: 'x',
        input: { name: 'string' },
      }),
      [
        'The service Item of Stock-v1 has no fields.',
        'The service Item of Stock-v1: input is not a JSON Schema: "name" is not a keyword. Declare members in "properties", as Type.Object({ name: … }) does.',
        'The service Item of Stock-v1: The route "/stock[/:id" has a "[" without its "]".',
      ].join('\n'),
    ],
    [
      'whose procedures are missing',
      service({ kind: 'rpc', route: '/stock' }),
      'The service Item of Stock-v1 has no methods.',
    ],
    [
      'whose method has no handler',
      service({ kind: 'rpc', route: '/stock', methods: { GET: {} } }),
      'The service Item of Stock-v1 declares GET without a handler. Write a function, the name of one in the container, or "not-implemented".',
    ],
    ['whose resource is missing', service(rest), 'The service Item of Stock-v1 has no resource.'],
    [
      'whose identifier is missing',
      service({ route: '/stock[/:id]', fields: { type: 'object' }, resource: 'x' }),
      'The service Item of Stock-v1 has no route_identifier_name.',
    ],
    [
      'whose fields are missing',
      service({ route: '/stock[/:id]', route_identifier_name: 'id', resource: 'x' }),
      'The service Item of Stock-v1 has no fields.',
    ],
    [
      'whose resource is not bound',
      service({ ...rest, resource: 'Nobody' }),
      /^The service Item of Stock-v1: resource: no module binds a resource named "Nobody"\. Available: /,
    ],
    [
      'whose resource has the wrong type',
      service({ ...rest, resource: 'text' }),
      'The service Item of Stock-v1: resource: the service "text" is not a resource: it is a string.',
    ],
    [
      'whose handler is a class',
      service({ kind: 'rpc', route: '/stock', methods: { GET: { handler: 'JsonModel' } } }),
      'The service Item of Stock-v1: handler: the service "JsonModel" is not a function: it is the class JsonModel.',
    ],
    [
      'whose handler has the wrong type',
      service({ kind: 'rpc', route: '/stock', methods: { GET: { handler: 'text' } } }),
      'The service Item of Stock-v1: handler: the service "text" is not a function: it is a string.',
    ],
    [
      'whose handler is an object',
      service({ kind: 'rpc', route: '/stock', methods: { GET: { handler: 'x' } } }),
      'The service Item of Stock-v1: handler: the service "x" is not a function: it is an object.',
    ],
    [
      'whose selector is unknown',
      service({ kind: 'rpc', route: '/stock', selector: 'Jsn', methods: {} }),
      'The service Item of Stock-v1: selector "Jsn" does not exist. Available: Json.',
    ],
    [
      'whose type no view model renders',
      service({ kind: 'rpc', route: '/stock', accept: ['text/csv'], methods: {} }),
      'The service Item of Stock-v1: no view model renders text/csv. Supported by the selector: application/json.',
    ],
  ])('%s', async (_, apis, message) => {
    const texts: Module = {
      name: 'texts',
      services: new ContainerModule(({ bind }) => {
        bind('text').toConstantValue('a text');
        bind('x').toConstantValue({ fetch: () => null });
      }),
    };
    expect(await refusal(apis, [texts])).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('that is invalid: the message names the file, the location, the key and the allowed values', async () => {
    expect(await refusal(service({ ...rest, resource: 'x', page_siz: 3 }))).toMatch(
      /config\/autoload\/local\.json:\d+:\d+: platform-hosting\.apis\.Stock\.versions\.1\.services\.Item\.page_siz: unknown key\. Did you mean "page_size"\?/,
    );
  });

  it.each([
    [
      'an API',
      { Shp: { description: 'Globes.' } },
      'Shp: the API "Shp" is not declared, and has no versions here. Did you mean "Shop"?',
    ],
    [
      'a service',
      { Shop: { versions: { 1: { services: { Prodct: { description: 'Globes.' } } } } } },
      'Shop.versions.1.services.Prodct: the service "Prodct" is not declared, and has no route here. Did you mean "Product"?',
    ],
    [
      'a service that was renamed',
      { Shop: { versions: { 1: { services: { Atlas: { description: 'Maps.' } } } } } },
      'Shop.versions.1.services.Atlas: the service "Atlas" is not declared, and has no route here. Available: ',
    ],
    [
      'an API that was renamed',
      { Store: { description: 'Globes.' }, Warehouse: { description: 'Maps.' } },
      'Warehouse: the API "Warehouse" is not declared, and has no versions here. Available: Shop.',
    ],
  ])('that misspells the name of %s', async (_, apis, message) => {
    const refused = await refusal(apis, [new ShopModule()]);
    expect(refused).toMatch(/^config\/autoload\/local\.json:\d+:\d+: platform-hosting\.apis\./);
    expect(refused).toContain(message);
  });

  it("that changes the kind of a module's service", async () => {
    const message = await refusal({ Shop: { versions: { 1: { services: { Product: { kind: 'rpc' } } } } } }, [
      new ShopModule(),
    ]);
    expect(message).toBe('The service Product of Shop-v1 has no methods.');
  });
});
