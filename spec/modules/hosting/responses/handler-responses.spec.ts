import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Response as PlatformResponse,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

const query = Type.Object({ status: Type.Optional(Type.Integer()), own: Type.Optional(Type.String()) });

const made = (status = 200, cacheControl?: string): PlatformResponse =>
  new PlatformResponse(status, 'text', [
    ['Content-Type', 'image/png'],
    ...(cacheControl === undefined ? [] : [['Cache-Control', cacheControl] as const]),
  ]);

const Picture = defineRpcService({
  route: '/pictures',
  methods: {
    GET: defineProcedure({
      query,
      response_type: ['image/png', 'image/webp'],
      cache_control: 'public, max-age=60',
      handler: ({ query: { status, own } }) => made(status, own),
    }),
    POST: defineProcedure({
      query,
      cache_control: 'public, max-age=60',
      handler: ({ query: { status, own } }) => Promise.resolve(made(status, own)),
    }),
    PUT: defineProcedure({ response_type: ['image/png'], handler: () => made() }),
  },
});

const Thing = defineRestService({
  route: '/things[/:thing_id]',
  route_identifier_name: 'thing_id',
  fields: Type.Object({ thing_id: Type.String() }),
  collection: { POST: {} },
  entity: { GET: { cache_control: 'no-store' } },
  resource: { fetch: () => made() as never, create: (data) => data },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'House',
      versions: { 1: { services: { Picture, Thing } }, 2: { services: { Picture, Thing } } },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ modules: HOSTING, extra: [house] });
});
afterAll(() => platform.stop());

describe('a Response that a handler creates', () => {
  it.each([
    ['GET', '/pictures'],
    ['POST', '/pictures'],
  ])('gets Vary and the declared Cache-Control: %s %s', async (method, path) => {
    const answer = await platform.request(path, { method });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('vary')).toBe('Accept');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('of a resource gets them as well', async () => {
    const { headers } = await platform.request('/things/1');
    expect([headers.get('vary'), headers.get('cache-control')]).toEqual(['Accept', 'no-store']);
  });

  it('keeps its own Cache-Control', async () => {
    const { headers } = await platform.request('/pictures?own=no-cache');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  it.each([404, 503])('with an error status (%i) is not cacheable', async (status) => {
    const { headers } = await platform.request(`/pictures?status=${status}`);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([null, 'Accept']);
  });

  it('has no Vary when nothing was negotiated', async () => {
    const { headers } = await platform.request('/pictures', { method: 'PUT' });
    expect(headers.get('vary')).toBeNull();
  });
});

describe('Vary', () => {
  const v1 = 'application/vnd.house.v1+json';
  const varyOf = async (method: string, path: string, headers: Record<string, string>): Promise<string[]> => {
    const body = method === 'POST' ? '{"thing_id":"1"}' : null;
    const answer = await platform.request(path, { method, headers, body });
    await answer.text();
    return (answer.headers.get('vary') ?? '')
      .split(', ')
      .filter((field) => field !== '')
      .sort();
  };

  it('includes Content-Type when it names the version', async () => {
    expect(await varyOf('POST', '/things', { 'content-type': v1 })).toEqual(['Accept', 'Content-Type']);
    expect(await varyOf('POST', '/v1/things', { 'content-type': v1 })).toEqual(['Accept', 'Content-Type']);
    expect(await varyOf('POST', '/things', { 'content-type': 'application/json' })).toEqual(['Accept']);
    expect(await varyOf('POST', '/v1/things', { 'content-type': 'application/json' })).toEqual(['Accept']);
  });

  it('includes Accept when it names the version, even with a single offer', async () => {
    const answer = await platform.request('/pictures', { method: 'PUT', headers: { accept: `${v1}, */*` } });
    expect(answer.headers.get('vary')).toBe('Accept');
  });

  it('names the header of an unknown version, and of versions that disagree', async () => {
    const v9 = 'application/vnd.house.v9+json';
    expect(await varyOf('POST', '/things', { 'content-type': v9 })).toContain('Content-Type');
    const fields = await varyOf('POST', '/things', { 'content-type': v1, accept: v9 });
    expect(fields).toEqual(['Accept', 'Content-Type']);
  });
});
