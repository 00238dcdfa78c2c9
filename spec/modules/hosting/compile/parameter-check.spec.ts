import fc from 'fast-check';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Type,
  type Module,
} from '../../../../src/platform';
import type { MvcEvent } from '../../../../src/framework';
import { Validators } from '../../../../src/modules/content-validation';
import { parameterCheckOf } from '../../../../src/modules/hosting/compile/parameter-check';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const fields = Type.Object({ id: Type.String() });

const services = {
  Page: defineRestService({
    route: '/books/:book/pages[/:number]',
    route_identifier_name: 'number',
    parameters: {
      book: Type.String({ pattern: '^[a-z]+$' }),
      number: Type.Integer({ minimum: 1, description: 'Counted from 1.' }),
    },
    fields,
    collection: { GET: {} },
    entity: { GET: {}, DELETE: {} },
    resource: {
      fetchAll: () => [],
      fetch: (id) => ({ id: `${typeof id} ${id}` }),
      delete: () => true,
    },
  }),
  Any: defineRpcService({
    route: '/any/:of',
    parameters: { of: Type.String({ description: 'Anything.' }) },
    methods: { GET: defineProcedure({ handler: ({ parameters }) => parameters.of }) },
  }),
  Size: defineRpcService({
    route: '/size[/:of]',
    parameters: { of: Type.Union([Type.Integer(), Type.Literal('all')]) },
    methods: { GET: defineProcedure({ handler: ({ parameters }) => parameters.of ?? null }) },
  }),
  Enumerated: defineRpcService({
    route: '/enumerated/:of',
    parameters: { of: Type.Array(Type.Unsafe({ enum: ['a,b', 'c'] })) },
    methods: { GET: defineProcedure({ handler: ({ parameters }) => parameters.of }) },
  }),
  Described: defineRpcService({
    route: '/described/:of',
    parameters: {
      of: Type.Array(Type.Union([Type.Literal('a,b', { description: 'Both.' }), Type.Literal('c')])),
    },
    methods: { GET: defineProcedure({ handler: ({ parameters }) => parameters.of }) },
  }),
  Several: defineRpcService({
    route: '/several/:of',
    parameters: { of: Type.Array(Type.Integer(), { maxItems: 2 }) },
    methods: { GET: defineProcedure({ handler: ({ parameters }) => parameters.of }) },
  }),
};

const house = (given: object): Module => ({
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services: given as typeof services } } })],
});

describe('a route parameter', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [house(services)] })));
  afterAll(() => platform.stop());

  it.each([
    ['/v1/books/emma/pages/7', 200],
    ['/v1/enumerated/a%2Cb,c', 200],
    ['/v1/enumerated/a,c', 404],
    ['/v1/described/c,a%2Cb', 200],
    ['/v1/described/c,a', 404],
    ['/v1/books/emma/pages', 200],
    ['/v1/books/emma/pages/0', 404],
    ['/v1/books/emma/pages/abc', 404],
    ['/v1/books/emma/pages/7.5', 404],
    ['/v1/books/emma/pages/0x7', 404],
    ['/v1/books/emma/pages/%207', 404],
    ['/v1/books/EMMA/pages/7', 404],
    ['/v1/books/EMMA/pages', 404],
    ['/v1/any/thing%2Fat%20all', 200],
    ['/v1/size', 200],
    ['/v1/size/5', 200],
    ['/v1/size/all', 200],
    ['/v1/size/none', 404],
    ['/v1/several/1', 200],
    ['/v1/several/1,2', 200],
    ['/v1/several/1,2,3', 404],
    ['/v1/several/1,a', 404],
  ])('is validated against its schema: %s returns %i', async (path, status) => {
    expect((await platform.request(path)).status).toBe(status);
  });

  it('stays a string', async () => {
    expect(await (await platform.request('/v1/books/emma/pages/007')).json()).toEqual({ id: 'string 007' });
  });

  it('is 404 with the message of a missing entity', async () => {
    const entity = await platform.request('/v1/books/emma/pages/abc');
    expect(await entity.json()).toMatchObject({ status: 404, detail: 'Page has no entity "abc".' });
    const other = await platform.request('/v1/books/EMMA/pages', { method: 'PUT' });
    expect(await other.json()).toMatchObject({ detail: 'No resource found at /v1/books/EMMA/pages.' });
  });
});

it('is valid exactly if it is valid as the value of a query parameter', () => {
  const validators = new Validators();
  const schemas = [
    Type.Integer(),
    Type.Integer({ minimum: 1, maximum: 999 }),
    Type.Number(),
    Type.Boolean(),
    Type.Union([Type.Integer(), Type.Literal('all')]),
    Type.Array(Type.Integer()),
  ];
  const numberLike = fc
    .array(fc.constantFrom('0', '1', '7', '9', '.', '-', '+', 'e', 'E', ' ', '_', 'x'), { maxLength: 6 })
    .map((characters) => characters.join(''));
  const texts = fc.oneof(numberLike, fc.string(), fc.constantFrom('true', 'false', 'all', 'null', ''));
  fc.assert(
    fc.property(fc.constantFrom(...schemas), texts, (schema, text) => {
      const names = { service: 'A', identifiers: [], identifier: null, where: 'A' };
      const check = parameterCheckOf(validators, { of: schema }, names)?.check;
      const event = { parameters: { of: text }, request: { path: '/' } } as unknown as MvcEvent;
      const query = new URLSearchParams([['of', text]]);
      const isValid = 'value' in validators.forQuery(Type.Object({ of: Type.Optional(schema) }))(query);
      if (isValid) expect(() => check?.(event)).not.toThrow();
      else expect(() => check?.(event)).toThrow();
    }),
    { numRuns: 500 },
  );
});

it('is documented where a schema validates it', async () => {
  const platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation'],
    extra: [house(services)],
  });
  const answer = await platform.request('/platform/documentation/House-v1');
  const { services: told } = (await answer.json()) as {
    services: { name: string; operations: { response_status_codes: { code: number }[] }[] }[];
  };
  await platform.stop();
  const notFound = told
    .filter(({ operations }) => operations[0]?.response_status_codes.some(({ code }) => code === 404))
    .map(({ name }) => name);
  expect(notFound.sort()).toEqual(['Described', 'Enumerated', 'Page', 'Several', 'Size']);
});

it('is rejected at startup when its schema is invalid', async () => {
  const Size = { ...services.Size, parameters: { of: { type: 'whole' } } };
  expect(await startRefusal({ modules: HOSTING, extra: [house({ Size })] })).toContain(
    'The service Size of House-v1: the parameter of: invalid schema',
  );
});
