import { ContainerModule, defineApi, Type, type ApiDefinition, type Module } from '../../../../src/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const fields = Type.Object({ id: Type.String() });
const item = {
  route: '/items[/:id]',
  route_identifier_name: 'id',
  fields,
  entity: { GET: {} },
  resource: { fetch: () => ({ id: '1' }) },
};
const procedure = { kind: 'rpc', route: '/items', methods: { GET: { handler: () => null } } } as const;

const moduleOf = (api: ApiDefinition, name = 'broken', services?: Module['services']): Module => ({
  name,
  requires: ['hosting'],
  apis: [api],
  ...(services === undefined ? {} : { services }),
});
const apiOf = (
  services: NonNullable<ApiDefinition['versions'][number]['services']>,
  name = 'Things',
): ApiDefinition => defineApi({ name, versions: { 1: { services } } });
const refusalOf = (api: ApiDefinition): Promise<string> =>
  startRefusal({ modules: HOSTING, extra: [moduleOf(api)] });

describe('the platform does not start, and says why,', () => {
  it.each(['2nd', 'my-shop', 'a b', '', 'Käse', '.hidden'])('when an API is called "%s"', async (name) => {
    expect(await refusalOf(apiOf({ Item: item }, name))).toBe(
      `The API name "${name}" must begin with a letter and contain only letters, digits, "_" and ".".`,
    );
  });

  it.each([0, -1, 1.5])('when a version is %d', async (version) => {
    expect(await refusalOf({ name: 'Things', versions: { [version]: { services: {} } } })).toBe(
      `The API Things has the version "${version}"; versions are integers from 1.`,
    );
  });

  it('when an API has no version, or lacks its default version', async () => {
    expect(await refusalOf({ name: 'Things', versions: {} })).toBe(
      'The API Things has no versions. Add one, such as versions: { 1: { services } }.',
    );
    expect(await refusalOf({ ...apiOf({ Item: item }), default_version: 2 })).toBe(
      'The API Things: default_version is 2, which is not a version of the API. Available: 1.',
    );
  });

  it('when two modules declare the same API', async () => {
    const extra = [moduleOf(apiOf({ Item: item }), 'first'), moduleOf(apiOf({}), 'second')];
    expect(await startRefusal({ modules: HOSTING, extra })).toBe(
      'The modules "first" and "second" both declare the API "Things".',
    );
  });

  it('when a module declares an API twice', async () => {
    const twice: Module = { name: 'first', requires: ['hosting'], apis: [apiOf({ Item: item }), apiOf({})] };
    expect(await startRefusal({ modules: HOSTING, extra: [twice] })).toBe(
      'The module "first" declares the API "Things" twice. Merge the two declarations, or rename one API.',
    );
  });

  it('when two services of a version have the same route', async () => {
    expect(await refusalOf(apiOf({ Item: item, Other: item }))).toBe(
      'The services Item and Other of Things-v1 have the same route /items[/:id].',
    );
  });

  it('when two services match the same paths with different patterns', async () => {
    expect(await refusalOf(apiOf({ Item: item, Other: { ...procedure, route: '/items/:word' } }))).toBe(
      'The routes "Things:/items[/:id]" ([/v:version(\\d+)]/items[/:id]) and "Things:/items/:word" ' +
        '([/v:version(\\d+)]/items/:word) match the same paths.',
    );
  });

  it('when two APIs match the same paths', async () => {
    const extra = [
      moduleOf(apiOf({ Item: item }), 'first'),
      moduleOf(apiOf({ Item: item }, 'Others'), 'second'),
    ];
    expect(await startRefusal({ modules: HOSTING, extra })).toContain('match the same paths.');
  });

  it('when a literal version takes over the paths of another API', async () => {
    const others = { Item: { ...item, route: '/v1/items[/:id]' } };
    const extra = [moduleOf(apiOf({ Item: item }), 'first'), moduleOf(apiOf(others, 'Others'), 'second')];
    expect(await startRefusal({ modules: HOSTING, extra })).toBe(
      'The route /v1/items[/:id] of the API Others takes over paths of version 1 of the API Things, whose route is [/v1]/items[/:id]. Change one of the routes.',
    );
  });

  it.each([
    ['a version that it does not have', 'Others', '/v2/items[/:id]'],
    ['a single path', 'Others', '/v1/items/first'],
    ['its own version', 'Things', '/v1/items[/:id]'],
  ])('unless a literal version takes over %s', async (_, name, route) => {
    const other = { Other: { ...procedure, route } };
    const extra =
      name === 'Things'
        ? [moduleOf(apiOf({ Item: item, ...other }))]
        : [moduleOf(apiOf({ Item: item }), 'first'), moduleOf(apiOf(other, name), 'second')];
    await expect(startRefusal({ modules: HOSTING, extra })).rejects.toThrow('The platform started.');
  });

  it.each([
    ['/items[/:id', 'The route "/items[/:id" has a "[" without its "]".'],
    ['items/:id', 'The route "items/:id" must begin with "/".'],
    ['/items/:', 'The route "/items/:" has a ":" without a parameter name.'],
  ])('when the route %s is invalid', async (route, reason) => {
    expect(await refusalOf(apiOf({ Item: { ...item, route } }))).toBe(
      `The service Item of Things-v1: ${reason}`,
    );
  });

  it('when a route uses the parameter of the version', async () => {
    const route = '/items/:version[/:id]';
    expect(await refusalOf(apiOf({ Item: { ...item, route } }))).toBe(
      `The service Item of Things-v1: the route ${route} has a parameter "version", which is reserved for the version of the API.`,
    );
  });

  it('when a route lacks the identifier parameter', async () => {
    expect(await refusalOf(apiOf({ Item: { ...item, route: '/items[/:code]' } }))).toBe(
      'The service Item of Things-v1: the route /items[/:code] has no parameter "id" (route_identifier_name).',
    );
  });

  it.each(['/items/:id', '/boxes[/:box]/items/:id'])(
    'when no path of %s is that of the collection',
    async (route) => {
      const collection = { GET: {} };
      const resource = { ...item.resource, fetchAll: () => [] };
      expect(await refusalOf(apiOf({ Item: { ...item, route, collection, resource } }))).toBe(
        `The service Item of Things-v1: each path of the route ${route} is that of an entity, because it has "id" (route_identifier_name), and no request reaches the operations of the collection. Write it in brackets, such as /items[/:id], or remove "collection".`,
      );
    },
  );

  it('unless the service without a path of its collection has no operations of it', async () => {
    const extra = [moduleOf(apiOf({ Item: { ...item, route: '/items/:id' } }))];
    await expect(startRefusal({ modules: HOSTING, extra })).rejects.toThrow('The platform started.');
  });

  it('when the handler of a procedure is a class', async () => {
    class Greeting {}
    const methods = { GET: { handler: Greeting as unknown as () => null } };
    expect(await refusalOf(apiOf({ Item: { ...procedure, methods } }))).toBe(
      'The service Item of Things-v1: handler is the class Greeting. Write a function, such as a method of an instance.',
    );
  });

  it('when a validator is a class', async () => {
    class Greeting {}
    const methods = { GET: { handler: () => null, validators: [Greeting as unknown as () => undefined] } };
    expect(await refusalOf(apiOf({ Item: { ...procedure, methods } }))).toBe(
      'Things-v1/Item GET: a validator is the class Greeting. Write a function, such as a method of an instance.',
    );
  });

  it('when a procedure is declared for tunnels', async () => {
    const methods = { CONNECT: { handler: () => null } };
    expect(await refusalOf(apiOf({ Item: { ...procedure, methods } }))).toBe(
      'The service Item of Things-v1 declares the method "CONNECT", which opens tunnels and never reaches an operation. Remove it.',
    );
  });

  it('when a procedure is declared for an unknown method', async () => {
    const methods = { get: { handler: () => null } };
    expect(await refusalOf(apiOf({ Item: { ...procedure, methods } }))).toBe(
      'The service Item of Things-v1 declares the method "get". Write methods in upper case.',
    );
  });

  it.each([
    [
      { ...procedure, methods: { GTE: { handler: () => null } } },
      'The service Item of Things-v1 declares the method "GTE", which Node.js does not accept. Did you mean "GET"?',
    ],
    [
      { ...item, collection: { PSOT: {} } },
      'The service Item of Things-v1: collection has an unknown key "PSOT". Did you mean "POST"?',
    ],
    [
      { ...item, route: undefined, rute: '/items[/:id]' },
      'The service Item of Things-v1 has an unknown key "rute". Did you mean "route"?',
    ],
  ])('when a method or a required key is misspelt', async (service, message) => {
    expect(await refusalOf(apiOf({ Item: service as unknown as typeof item }))).toBe(message);
  });

  it.each([
    [
      { authorisation: 'authenticated' },
      'The API Things has an unknown key "authorisation". Did you mean "authorization"?',
    ],
    [
      { versions: { 1: { depricated: true, services: {} } } },
      'Version 1 of the API Things has an unknown key "depricated". Did you mean "deprecated"?',
    ],
    [
      { versions: { 1: { services: { Item: { ...item, entity: { GET: { authorisation: [] } } } } } } },
      'The service Item of Things-v1: entity GET has an unknown key "authorisation". Did you mean "authorization"?',
    ],
    [
      {
        versions: {
          1: { services: { Item: { ...procedure, methods: { GET: { handler: () => 1, zzzzzzzz: 1 } } } } },
        },
      },
      'The service Item of Things-v1: GET has an unknown key "zzzzzzzz".',
    ],
    [
      { versions: { 1: { services: { Item: { ...item, collection: { GET: true } } } } } },
      'The service Item of Things-v1: collection GET is not an operation definition. Write an object, such as {}.',
    ],
  ])('when plain JavaScript has an unknown key: %j', async (changes, message) => {
    expect(await refusalOf({ ...apiOf({ Item: item }), ...(changes as object) })).toBe(message);
  });

  it.each<[object, string]>([
    [
      { ...item, entity: { GET: { sort: ['id'] } } },
      'The service Item of Things-v1: entity GET has the key "sort", which only GET and QUERY of collections have. Remove it.',
    ],
    [
      { ...item, collection: { DELETE: { default_sort: 'id' } } },
      'The service Item of Things-v1: collection DELETE has the key "default_sort", which only GET and QUERY of collections have. Remove it.',
    ],
    [
      { ...item, entity: { GET: { handler: () => null } } },
      'The service Item of Things-v1: entity GET has the key "handler", which only procedures have. Remove it.',
    ],
    [
      { ...procedure, page_size: 3 },
      'The service Item of Things-v1 has the key "page_size", which only REST services have. Remove it.',
    ],
    ...['route_identifier_name', 'entity_identifier_name', 'fields', 'collection', 'entity'].map(
      (key): [object, string] => [
        { ...procedure, [key]: key.endsWith('name') ? 'id' : {} },
        `The service Item of Things-v1 has the key "${key}", which only REST services have. Remove it.`,
      ],
    ),
    ...[{}, { kind: 'rest' }].map((kind): [object, string] => [
      { ...item, methods: procedure.methods, ...kind },
      'The service Item of Things-v1 has "methods", which only RPC services have, and "resource", which only REST services have. Write "kind", which is "rpc" or "rest", and remove the other.',
    ]),
  ])(
    'when a key belongs to other services or operations, and would be ignored: %j',
    async (service, message) => {
      expect(await refusalOf(apiOf({ Item: service }))).toBe(message);
    },
  );

  it.each<[object, string]>([
    [
      { ...item, fields: Type.Array(fields) },
      ': fields is the schema of a list. Write that of one entity, such as Type.Object({ … }): a collection is a list of them.',
    ],
    [{ ...item, input: Type.Array(fields) }, ': input is the schema of a list. Write that of one entity'],
    [
      { ...item, resource: () => item.resource },
      ': resource is a function resource. Write a resource, which is an object with methods such as fetch(), or its class.',
    ],
    [
      { ...item, resource: async () => Promise.resolve(item.resource) },
      ': resource is a function resource. ',
    ],
    [
      {
        ...item,
        resource: function* resource() {
          yield item.resource;
        },
      },
      ': resource is a function resource. ',
    ],
    [
      { ...procedure, methods: { GET: procedure.methods.GET, PUT: {} } },
      ' declares PUT without a handler. Write a function, the name of one in the container, or "not-implemented".',
    ],
    [
      { ...item, collection: { GET: { sort: ['-id'] } } },
      ': sort has "-id". Write the names of members: clients may ask for each in descending order, and default_sort may have a "-" prefix.',
    ],
    [{ ...item, collection: { QUERY: { sort: ['id', ''] } } }, ': sort has "". Write the names of members'],
    [
      { ...item, collection: { GET: { default_sort: 'id' } } },
      ': default_sort is "id", but there is no "sort". Write the members that it may have in "sort".',
    ],
  ])('when plain JavaScript has another value than is meant: %j', async (service, message) => {
    const refusal = await refusalOf(apiOf({ Item: service }));
    expect(refusal).toContain(`The service Item of Things-v1${message}`);
  });

  it('when a bound class, which is constructed like each class, lacks a method that an operation needs', async () => {
    class Items {
      constructor(readonly database: string) {}

      fetch(id: string): object {
        return { id, database: this.database };
      }
    }
    const resource = Items.bind(null, 'shop');
    expect(await refusalOf(apiOf({ Item: { ...item, resource, entity: { PATCH: {} } } }))).toBe(
      'The service Item of Things-v1 declares entity PATCH, which needs a method patch() of the resource.',
    );
  });

  it('when a resource lacks a method that an operation needs', async () => {
    expect(await refusalOf(apiOf({ Item: { ...item, entity: { PATCH: {} } } }))).toBe(
      'The service Item of Things-v1 declares entity PATCH, which needs a method patch() of the resource.',
    );
  });

  it('when a schema is invalid', async () => {
    const query = Type.Object({ count: Type.Unsafe({ type: 'number', minimum: 'many' }) });
    const refusal = await refusalOf(apiOf({ Item: { ...item, entity: { GET: { query } } } }));
    expect(refusal).toMatch(/^Things-v1\/Item entity GET: invalid schema: .*minimum.*/);
  });

  it('when a resource class has constructor arguments that nothing injects', async () => {
    class Needy {
      readonly wish: string;
      constructor(wish: string) {
        this.wish = wish;
      }
    }
    expect(await refusalOf(apiOf({ Item: { ...item, resource: Needy as never } }))).toBe(
      "The service Item of Things-v1: the resource class Needy has constructor arguments: bind it in the module's services.",
    );
  });

  it('when the container cannot construct a bound resource', async () => {
    const services = new ContainerModule(({ bind }) => {
      bind('Things').toDynamicValue(() => {
        throw new Error('the shelf is empty');
      });
    });
    const extra = [moduleOf(apiOf({ Item: { ...item, resource: 'Things' } }), 'broken', services)];
    const refusal = await startRefusal({ modules: HOSTING, extra });
    expect(refusal).toContain('The service "Things" (module "broken") cannot be created: ');
    expect(refusal).toContain('the shelf is empty');
  });
});
