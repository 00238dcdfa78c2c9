import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Response as PlatformResponse,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { reusedPlatform } from '../../../factories/reused-platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const fields = Type.Object({ id: Type.String() }, { additionalProperties: true });
const signals: AbortSignal[] = [];
const streams: Readable[] = [];
const never = (): Promise<never> => new Promise(() => undefined);

const Silent = defineRestService({
  route: '/silent[/:id]',
  route_identifier_name: 'id',
  timeout: 0.2,
  fields,
  collection: {
    GET: { timeout: 1.2 },
    POST: { validators: [never] },
  },
  entity: { GET: {}, PUT: { timeout: 0 } },
  resource: {
    fetchAll: never,
    fetch: (id, { signal }) => {
      if (id === 'later') return pause(20).then(() => ({ id }));
      signals.push(signal);
      return never();
    },
    create: ({ id }) => ({ id }),
    update: (id) => pause(400).then(() => ({ id })),
  },
});

const circular: Record<string, unknown> = { name: 'loop' };
circular.self = circular;

const garbage: Readonly<Record<string, unknown>> = {
  circular,
  deep: { list: [circular] },
  bigint: { n: 1n },
  throwing: {
    toJSON: () => {
      throw new Error('cannot be shown');
    },
  },
};

const Garbage = defineRestService({
  route: '/garbage[/:id]',
  route_identifier_name: 'id',
  page_size: 5,
  fields,
  collection: { GET: { query: Type.Object({ kind: Type.String() }) } },
  entity: { GET: {} },
  resource: {
    fetch: (id) => garbage[id] as { id: string },
    // Values that plain JavaScript may return.
    fetchAll: ({ query }) =>
      ({
        text: 'text',
        number: 7,
        null: null,
        nothing: undefined,
        late: Promise.resolve(),
        half: { items: [] },
        odd: { items: [], total: NaN },
      })[query.kind] as unknown as [],
  },
});

const Leaky = defineRpcService({
  route: '/leaky',
  timeout: 0.1,
  methods: {
    GET: defineProcedure({
      query: Type.Object({ late: Type.Boolean({ default: false }) }),
      handler: async ({ query }) => {
        const stream = new Readable({ read: () => undefined });
        streams.push(stream);
        stream.push('first ');
        await pause(query.late ? 250 : 1);
        return new PlatformResponse(200, stream);
      },
    }),
  },
});

const Hanging = defineRpcService({
  route: '/hanging',
  timeout: 3_600,
  methods: { GET: defineProcedure({ handler: ({ signal }) => pause(3_600_000, {}, { signal }) }) },
});

const hostile: Readonly<Record<string, unknown>> = {
  proxy: new Proxy(new Error('hidden'), {
    getPrototypeOf: () => {
      throw new Error('a trap');
    },
  }),
  getter: {
    get code(): string {
      throw new Error('a trap');
    },
  },
};

const Hostile = defineRpcService({
  route: '/hostile',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ kind: Type.String(), late: Type.Boolean({ default: false }) }),
      handler: ({ query }) => {
        const thrown = hostile[query.kind];
        // What JavaScript may throw.
        if (query.late) return pause(1).then(() => Promise.reject(thrown as Error));
        throw thrown as Error;
      },
    }),
  },
});

const Good = defineRpcService({
  route: '/good',
  methods: { GET: defineProcedure({ handler: async () => pause(1).then(() => ({ good: true })) }) },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'House',
      versions: { 1: { services: { Silent, Garbage, Leaky, Hanging, Hostile, Good } } },
    }),
  ],
};

const modules = [...HOSTING, 'documentation', 'documentation-apidesc', 'documentation-formats'];
const { platform } = reusedPlatform(() => startTestPlatform({ modules, extra: [house] }));
beforeEach(() => {
  signals.length = 0;
  streams.length = 0;
});

const isGood = async () => {
  const answer = await platform.request('/good');
  expect(await answer.json()).toEqual({ good: true });
};

describe('a service that throws what cannot be inspected', () => {
  it.each(['kind=proxy', 'kind=proxy&late=true', 'kind=getter', 'kind=getter&late=true'])(
    'responds with 500, and the others continue: %s',
    async (query) => {
      expect((await platform.request(`/hostile?${query}`)).status).toBe(500);
      await isGood();
    },
  );
});

describe('a service that never responds', () => {
  it('responds with 503 and Retry-After after its timeout', async () => {
    const answer = await platform.request('/silent/1');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await bodyOf(answer)).toMatchObject({
      title: 'Service Unavailable',
      detail: 'The operation exceeded its timeout of 0.2 seconds. Try again later.',
    });
    const [line] = platform.log.lines;
    expect(line).toMatchObject({ level: 'error' });
    expect((line?.details as { err: Error }).err.message).toBe(
      'House-v1/Silent entity GET did not respond within 0.2 s.',
    );
  });

  it('is aborted', async () => {
    await platform.request('/silent/1');
    expect(signals).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(true);
    expect(signals[0]?.reason).toMatchObject({ status: 503 });
  });

  it('is aborted when the client disconnects', async () => {
    const pending = request(`${platform.origin}/silent/1`);
    pending.on('error', () => undefined);
    pending.end();
    for (let attempt = 0; attempt < 750 && signals.length === 0; attempt++) await pause(20);
    const [signal] = signals;
    if (signal === undefined) throw new Error('The handler did not run.');
    pending.destroy();
    if (!signal.aborted) await once(signal, 'abort');
    expect(signal.reason).not.toHaveProperty('status');
  });

  it('may set a timeout per operation, or disable it', async () => {
    const started = performance.now();
    expect((await platform.request('/silent')).status).toBe(503);
    expect(performance.now() - started).toBeGreaterThan(1_100);
    expect((await platform.request('/silent/x', sendJson({ id: 'x' }, 'PUT'))).status).toBe(200);
  });

  it('is not interrupted when it responds in time', async () => {
    expect((await platform.request('/silent/later')).status).toBe(200);
  });

  it('times out when a validator never settles', async () => {
    expect((await platform.request('/silent', sendJson({ id: 'x' }))).status).toBe(503);
  });

  it('does not block other requests', async () => {
    const client = new AbortController();
    const { signal } = client;
    const hanging = Array.from({ length: 200 }, () => platform.request('/hanging', { signal }));
    for (let n = 0; n < 20; n++) await isGood();
    const isSettled = await Promise.race([...hanging, Promise.resolve('none')]);
    expect(isSettled).toBe('none');
    client.abort();
    const ends = await Promise.allSettled(hanging);
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']));
  });

  it('times out under load, and other requests are answered', async () => {
    const hanging = Array.from({ length: 200 }, (_, n) => platform.request(`/silent/${n}`));
    for (let n = 0; n < 20; n++) await isGood();
    const statuses = new Set((await Promise.all(hanging)).map(({ status }) => status));
    expect(statuses).toEqual(new Set([503]));
    await isGood();
  });

  it('documents the timeout, wherever it was configured', async () => {
    const document = await bodyOf(await platform.request('/platform/documentation/House-v1?format=apidesc'));
    const timedOut = { 503: { headers: { 'Retry-After': {} } } };
    expect(document.paths).toMatchObject({
      '/v1/silent': { get: { responses: timedOut } },
      '/v1/silent/{id}': { get: { responses: timedOut }, put: { responses: expect.any(Object) as unknown } },
      '/v1/good': { get: { responses: timedOut } },
    });
    const { paths } = document as { paths: Record<string, { put: { responses: object } }> };
    expect(paths['/v1/silent/{id}']?.put.responses).not.toHaveProperty('503');
  });

  it.each(['json', 'html', 'apidesc', 'yaml', 'swagger', 'markdown'])(
    'documents the timeout as %s',
    async (format) => {
      const page = await platform.request(`/platform/documentation/House-v1/Good?format=${format}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toMatch(/503[^]{0,60}Service Unavailable/);
    },
  );
});

describe('a service that returns an invalid value', () => {
  it.each(Object.keys(garbage))('(%s) is answered with a bare 500 and logged with its URL', async (kind) => {
    const answer = await platform.request(`/garbage/${kind}`);
    expect(answer.status).toBe(500);
    expect(await bodyOf(answer)).toMatchObject({ detail: 'The server encountered an unexpected condition.' });
    expect(platform.log.lines).toEqual([
      expect.objectContaining({ details: expect.objectContaining({ path: `/garbage/${kind}` }) as unknown }),
    ]);
    await isGood();
  });

  it('logs the reason', async () => {
    await platform.request('/garbage/circular');
    expect(String((platform.log.lines[0]?.details as { err: Error }).err)).toMatch(
      /nested too deeply|circular/,
    );
  });

  it.each([
    ['text', 'fetchAll() returned neither a list nor a page.'],
    ['number', 'fetchAll() returned neither a list nor a page.'],
    ['null', 'fetchAll() returned neither a list nor a page.'],
    ['nothing', 'fetchAll() returned neither a list nor a page.'],
    ['late', 'fetchAll() returned neither a list nor a page.'],
    ['half', 'fetchAll() returned a page without a total.'],
    ['odd', 'fetchAll() returned a page with an invalid total: NaN.'],
  ])('instead of a collection (%s) logs the expected type', async (kind, reason) => {
    expect((await platform.request(`/garbage?kind=${kind}`)).status).toBe(500);
    const { err } = platform.log.lines[0]?.details as { err: Error };
    expect(err.message).toBe(`House-v1/Garbage collection GET: ${reason}`);
    await isGood();
  });
});

describe('a service that leaks a stream', () => {
  it('has it closed when the client disconnects', async () => {
    const asked = request(`${platform.origin}/leaky`);
    asked.on('error', () => undefined);
    asked.end();
    const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
    await once(answer, 'data');
    expect(streams[0]?.destroyed).toBe(false);
    asked.destroy();
    await new Promise((resolve) => streams[0]?.once('close', resolve));
    expect(streams[0]?.destroyed).toBe(true);
  });

  it('has it closed when it arrives after the timeout', async () => {
    expect((await platform.request('/leaky?late=true')).status).toBe(503);
    expect(streams[0]?.destroyed).toBe(false);
    await pause(300);
    expect(streams[0]?.destroyed).toBe(true);
  });

  it('has it closed for a HEAD request', async () => {
    expect((await platform.request('/leaky', { method: 'HEAD' })).status).toBe(200);
    await pause(20);
    expect(streams[0]?.destroyed).toBe(true);
  });
});

describe('a service that cannot be constructed', () => {
  class Broken {
    constructor() {
      throw new Error('the database is gone');
    }
    fetch(): { id: string } {
      return { id: '' };
    }
  }

  it('is named when the platform starts', async () => {
    const Thing = defineRestService({
      route: '/things[/:id]',
      route_identifier_name: 'id',
      fields,
      entity: { GET: {} },
      resource: Broken,
    });
    const module_: Module = {
      name: 'broken',
      requires: ['hosting'],
      apis: [defineApi({ name: 'Shed', versions: { 1: { services: { Thing } } } })],
    };
    expect(await startRefusal({ modules: HOSTING, extra: [module_] })).toMatch(
      /^The service Thing of Shed-v1: the resource class Broken cannot be created: .*misbehaving-services\.spec\.ts:\d+:\d+: Error: the database is gone\n/,
    );
  });
});
