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

const Picture = defineRpcService({
  route: '/pictures',
  methods: {
    GET: defineProcedure({
      response_type: ['image/png', 'image/webp'],
      handler: ({ event }) =>
        new PlatformResponse(200, 'bytes', [['Content-Type', event.responseFormat?.mediaType ?? '']]),
    }),
  },
});

const Feed = defineRpcService({
  route: '/feed',
  methods: {
    GET: defineProcedure({
      stream: ['text/event-stream', 'application/x-ndjson'],
      response: Type.Object({ id: Type.Integer() }),
      handler: () => [{ id: 1 }],
    }),
    POST: defineProcedure({
      fields: Type.Object({
        title: Type.String({ description: 'What it is called.' }),
        text: Type.String(),
      }),
      content_type: ['application/x-www-form-urlencoded'],
      handler: () => ({}),
    }),
    PUT: defineProcedure({
      fields: Type.Object({ title: Type.String(), draft: Type.Boolean() }),
      content_type: ['application/x-www-form-urlencoded'],
      handler: () => ({}),
    }),
  },
});

const Event = defineRestService({
  route: '/events[/:event_id]',
  route_identifier_name: 'event_id',
  fields: Type.Object({ event_id: Type.String() }),
  collection: { GET: { stream: ['application/x-ndjson'] } },
  entity: { DELETE: {} },
  resource: { fetchAll: () => [{ event_id: '1' }], delete: () => true },
});

const Twice = defineRpcService({
  route: '/twice',
  accept: ['application/json', 'application/json'],
  methods: {
    GET: defineProcedure({ handler: () => ({}) }),
    POST: defineProcedure({ stream: ['application/x-ndjson'], handler: () => [] }),
  },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'House',
      base_path: '/home',
      versions: { 2: { services: { Picture, Feed, Event, Twice } } },
    }),
  ],
};

interface Documented {
  readonly request_accept_types: readonly string[];
  readonly request_content_types: readonly string[];
  readonly fields: readonly { name: string; required: boolean; description: string }[];
}

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation'],
    extra: [house],
    files: {
      'show.njk': `{{ docAcceptHeaders(documentation) }}
{% for operation in documentation.getOperations() %}{{ docServicePath(documentation, operation) }}
{% endfor %}`,
    },
    local: {
      server: { base_url: '/base' },
      view_manager: { template_map: { 'platform-documentation/show': 'show.njk' } },
    },
  });
});
afterAll(() => platform.stop());

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  platform.request(`/base${path}`, init);
const documented = async (service: string): Promise<Documented> =>
  (await (await get(`/platform/documentation/House/${service}?format=json`)).json()) as Documented;

describe('the documented Accept types of a service', () => {
  it.each([
    ['Picture', ['image/png', 'image/webp']],
    [
      'Feed',
      ['application/json', 'application/vnd.house.v2+json', 'text/event-stream', 'application/x-ndjson'],
    ],
    ['Event', ['application/json', 'application/vnd.house.v2+json', 'application/x-ndjson']],
    ['Twice', ['application/json', 'application/x-ndjson']],
  ])('of %s are those of its operations', async (service, types) => {
    expect((await documented(service)).request_accept_types).toEqual(types);
  });

  it.each([
    ['Picture', ['GET /pictures']],
    ['Feed', ['GET /feed', 'POST /feed']],
    ['Event', ['GET /events', 'DELETE /events/1']],
  ])('of %s all work with one of its operations', async (service, operations) => {
    const { request_accept_types: types } = await documented(service);
    for (const accept of types) {
      const statuses = await Promise.all(
        operations.map(async (operation) => {
          const [method = '', path = ''] = operation.split(' ');
          const body = method === 'POST' ? new URLSearchParams({ title: 'a', text: 'b' }) : null;
          const answer = await get(`/home${path}`, { method, headers: { accept }, body });
          await answer.text();
          return answer.status;
        }),
      );
      expect([accept, statuses.some((status) => status < 300)]).toEqual([accept, true]);
    }
  });

  it('are what docAcceptHeaders lists', async () => {
    const page = await (await get('/platform/documentation/House/Picture?format=html')).text();
    expect(page).toContain('<li class="list-group-item">image/png</li>');
    expect(page).not.toContain('application/json');
  });
});

describe('the documented Content-Type types of a service', () => {
  it('are those that its operations accept', async () => {
    expect((await documented('Feed')).request_content_types).toEqual(['application/x-www-form-urlencoded']);
    expect((await documented('Picture')).request_content_types).toEqual([]);
  });
});

describe('the fields of an RPC service', () => {
  it('are those of its operations without duplicates, required if all of them require it', async () => {
    expect((await documented('Feed')).fields).toMatchObject([
      { name: 'title', required: true, description: 'What it is called.' },
      { name: 'text', required: false },
      { name: 'draft', required: false },
    ]);
  });
});

describe('docServicePath', () => {
  it('returns a working URL', async () => {
    const page = await (await get('/platform/documentation/House/Feed?format=html')).text();
    const uri = page.split('\n').find((line) => line.endsWith('/feed')) ?? '';
    expect(uri).toBe('/base/home/v2/feed');
    expect((await platform.request(uri, { headers: { accept: 'application/x-ndjson' } })).status).toBe(200);
  });
});
