import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const fields = Type.Object({ name: Type.String() });
const handler = ({ body }: { readonly body: unknown }) => ({ data: body });

const services = {
  Service: defineRpcService({
    route: '/service',
    content_type: ['Application/JSON; charset=utf-8', 'application/json'],
    methods: { POST: defineProcedure({ fields, handler }) },
  }),
  Operation: defineRpcService({
    route: '/operation',
    methods: { POST: defineProcedure({ content_type: ['APPLICATION/JSON'], fields, handler }) },
  }),
  Responses: defineRestService({
    route: '/responses[/:name]',
    route_identifier_name: 'name',
    accept: ['application/vnd.House.v1+json;profile=a'],
    fields,
    collection: { GET: {}, POST: {} },
    resource: { fetchAll: () => [], create: (data) => data },
  }),
};

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services } } })],
};

describe('Request types that are declared with parameters or in upper case', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ extra: [house], modules: [...HOSTING, 'documentation'] });
  });
  afterAll(() => platform.stop());

  it.each([
    ['/service', 'application/json', 200],
    ['/service', 'application/json; charset=UTF-8', 200],
    ['/operation', 'Application/json', 200],
    ['/responses', 'application/vnd.house.v1+json', 201],
  ])('are types of requests to %s: %s', async (path, type, status) => {
    const init = { method: 'POST', headers: { 'Content-Type': type }, body: '{"name":"a"}' };
    expect((await platform.request(path, init)).status).toBe(status);
  });

  it('are documented as requests are compared with them', async () => {
    const { services: documented } = await bodyOf(
      await platform.request('/platform/documentation/House?format=json'),
    );
    expect(documented).toMatchObject([
      { name: 'Service', request_content_types: ['application/json'] },
      { name: 'Operation', request_content_types: ['application/json'] },
      { name: 'Responses', request_content_types: ['application/vnd.house.v1+json'] },
    ]);
  });
});
