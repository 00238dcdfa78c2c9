import {
  ContainerModule,
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  JsonModel,
  registerStrategyAtRender,
  Type,
  ViewStrategy,
  type Module,
  type ViewModel,
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

class LinesModel extends JsonModel {}

class LinesStrategy extends ViewStrategy {
  protected override recognizes(model: ViewModel): boolean {
    return model instanceof LinesModel;
  }
}

/** A service whose responses are lines of text only. */
const lines: Module = {
  name: 'lines',
  requires: ['hosting'],
  defaults: {
    'platform-content-negotiation': { selectors: { Lines: { LinesModel: ['text/lines'] } } },
  },
  services: new ContainerModule(({ bind }) => {
    bind('LinesModel').toConstantValue(LinesModel);
    bind('LinesStrategy').toResolvedValue(
      () => new LinesStrategy({ render: (model) => JSON.stringify(model.content) }, 'text/lines'),
    );
  }),
  onBootstrap: ({ application }) => registerStrategyAtRender(application, 'LinesStrategy'),
  apis: [
    defineApi({
      name: 'Lines',
      versions: {
        1: {
          services: {
            Line: defineRestService({
              route: '/lines[/:name]',
              route_identifier_name: 'name',
              selector: 'Lines',
              fields,
              collection: { POST: {} },
              entity: { PATCH: {} },
              resource: { create: (data) => data, patch: (name, data) => ({ name, ...data }) },
            }),
          },
        },
      },
    }),
  ],
};

describe('A service whose responses are not JSON', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ extra: [lines], modules: [...HOSTING, 'documentation-apidesc'] });
  });
  afterAll(() => platform.stop());

  const send = async (method: string, path: string, type: string) => {
    const init = { method, headers: { 'Content-Type': type }, body: '{"name":"a"}' };
    const response = await platform.request(path, init);
    return [response.status, await response.text()];
  };

  it('has bodies of JSON', async () => {
    expect(await send('POST', '/lines', 'application/json')).toEqual([201, '{"name":"a"}']);
    expect(await send('PATCH', '/lines/a', 'application/merge-patch+json')).toEqual([200, '{"name":"a"}']);
    expect(await send('POST', '/lines', 'text/lines')).toEqual([
      415,
      expect.stringContaining('"supported":["application/json"]'),
    ]);
  });

  it('is documented with bodies of JSON', async () => {
    const { paths } = await bodyOf(await platform.request('/platform/documentation/Lines?format=apidesc'));
    const content = { 'application/json': expect.anything() as unknown };
    expect(paths).toMatchObject({ '/v1/lines': { post: { requestBody: { content } } } });
  });
});

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
