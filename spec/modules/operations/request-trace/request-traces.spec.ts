import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:net';
import { RequestTraces, type RequestTrace, type TracedCall } from '../../../../src/modules/operations';
import {
  defineApi,
  defineModule,
  defineProcedure,
  defineRpcService,
  Problem,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, sendJson } from '../../../factories/http/requests';
import { until } from '../../../factories/until';
import { authentication, CLUB_ADAPTERS, CLUB_FILES } from '../../../fixtures/club-module';
import { DeskModule } from '../../../fixtures/desk-module';

let release: () => void = () => undefined;

const slow = defineModule({
  name: 'slow',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Slow',
      versions: {
        1: {
          services: {
            Wait: defineRpcService({
              route: '/slow',
              methods: {
                GET: defineProcedure({
                  handler: () => new Promise<object>((resolve) => (release = () => resolve({ done: true }))),
                }),
                POST: defineProcedure({
                  handler: () => {
                    throw new RangeError('pass-word-9 was sent');
                  },
                }),
              },
            }),
          },
        },
      },
    }),
  ],
});

describe('recorded requests', () => {
  let platform: TestPlatform;
  let traces: RequestTraces;

  beforeAll(async () => {
    platform = await startTestPlatform({
      extra: [slow, new DeskModule()],
      files: CLUB_FILES,
      local: authentication({ people: CLUB_ADAPTERS.basic }, { 'Desk/Diary': 'people' }),
    });
    traces = platform.application.sharedState.getOrCreate(RequestTraces, () => {
      throw new Error('The module creates it.');
    });
  });
  afterAll(() => platform.stop());
  beforeEach(() => {
    traces.stop();
    traces.clear();
  });

  const get = async (path: string, id: string, init: RequestInit = {}): Promise<number> => {
    const headers = new Headers(init.headers);
    headers.set('X-Request-Id', id);
    const response = await platform.request(path, { ...init, headers });
    await response.arrayBuffer();
    return response.status;
  };
  /** The trace is complete after the response. */
  const traceOf = async (id: string): Promise<RequestTrace> => {
    for (;;) {
      const found = traces.find(id);
      if (found !== undefined) return found;
      await wait(5);
    }
  };
  const calls = ({ entries }: RequestTrace): readonly TracedCall[] =>
    entries.filter((one): one is TracedCall => one.kind === 'listener');

  it('have every listener with its module, file, priority and outcome, and statements', async () => {
    traces.start({ requests: 1, minutes: 1 });
    expect(await get('/v1/atlas/countries?region=Europe', 'list')).toBe(200);
    const trace = await traceOf('list');
    expect(trace).toMatchObject({
      method: 'GET',
      path: '/v1/atlas/countries',
      status: 200,
      operation: 'Atlas-v1/Country collection GET',
      query: ['region'],
      user: null,
    });
    expect(calls(trace)[0]).toMatchObject({
      event: 'route',
      listener: 'FrameworkListeners.match',
      priority: 1,
      module: 'framework',
      source: expect.stringMatching(/^src\/framework\/mvc\/framework-listeners\.ts:\d+$/) as string,
      outcome: 'continued',
    });
    const events = new Set(calls(trace).map(({ of, event }) => `${of} ${event}`));
    expect([...events]).toEqual([
      'application route',
      'application dispatch',
      'application render',
      'view renderer',
      'view response',
      'application response',
    ]);
    expect(calls(trace).map(({ outcome, detail }) => [outcome, detail])).toContainEqual([
      'returned',
      'JsonRenderer',
    ]);
    const statements = trace.entries.filter(({ kind }) => kind === 'statement');
    expect(statements.length).toBeGreaterThan(0);
    expect(statements[0]).toMatchObject({ adapter: 'atlas', error: null });
    for (const { start, duration } of trace.entries) {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(start + duration).toBeLessThanOrEqual(trace.duration + 0.01);
    }
    // Every listener of the event that ran before the response, in calling order.
    const route = calls(trace).filter(({ event }) => event === 'route');
    expect(route).toHaveLength(platform.application.events.count('route'));
  });

  it('name responses and errors without what clients sent', async () => {
    traces.start({ requests: 5, minutes: 1 });
    await get('/desk/notes?token=pass-word-9', 'options', { method: 'OPTIONS' });
    await get('/slow', 'failed', sendJson({ secret: 'pass-word-9' }));
    await get('/desk/diary', 'refused', {
      headers: { Authorization: basic('ada', 'pass-word-9'), Cookie: 'a=pass-word-9' },
    });
    const [options, failed, refused] = [
      await traceOf('options'),
      await traceOf('failed'),
      await traceOf('refused'),
    ];
    expect(calls(options).map(({ outcome, detail }) => [outcome, detail])).toContainEqual([
      'responded',
      '204',
    ]);
    expect(calls(failed).find(({ outcome }) => outcome === 'threw')?.detail).toMatch(
      /^RangeError at spec\/.*request-traces\.spec\.ts:\d+$|^500 /,
    );
    expect(calls(refused).find(({ outcome }) => outcome === 'threw')).toMatchObject({
      listener: 'AuthListeners.authenticate',
      detail: expect.stringMatching(/^401 /) as string,
    });
    expect(refused).toMatchObject({ status: 401, user: null });
    await get('/desk/diary', 'guest');
    expect(calls(await traceOf('guest')).find(({ outcome }) => outcome === 'threw')).toMatchObject({
      listener: 'AuthListeners.authorize',
      detail: expect.stringMatching(/^401 /) as string,
    });
    for (const one of [options, failed, refused]) {
      expect(JSON.stringify(one)).not.toContain('pass-word-9');
      expect(JSON.stringify(one)).not.toContain(basic('ada', 'pass-word-9').slice('Basic '.length));
    }
  });

  it('tell a returned Problem that ends a request from one that is ignored', async () => {
    traces.start({ requests: 1, minutes: 1 });
    const { events } = platform.application;
    const detach = [
      events.attach('dispatch.error', () => new Problem(409, 'Ignored.')),
      events.attach('route', () => new Problem(403, 'Not today.'), -700),
    ];
    expect(await get('/desk/notes', 'returned')).toBe(403);
    for (const end of detach) end();
    const attached = calls(await traceOf('returned')).filter(({ module }) => module === 'runtime');
    expect(attached.map(({ event, outcome }) => [event, outcome])).toEqual([
      ['route', 'threw'],
      ['dispatch.error', 'returned'],
    ]);
  });

  it('are as many as wanted, of a path and a user', async () => {
    traces.start({ requests: 2, minutes: 1, path: '/desk/diary', user: 'ada' });
    const headers = { Authorization: basic('ada', 'password') };
    await get('/desk/notes', 'other-path');
    await get('/desk/diary', 'guest');
    for (const id of ['one', 'two', 'three']) await get('/desk/diary', id, { headers });
    await traceOf('two');
    expect(traces.list().map(({ id, user }) => [id, user])).toEqual([
      ['two', 'ada'],
      ['one', 'ada'],
    ]);
    expect(traces.state).toEqual({
      recording: false,
      always: false,
      remaining: 0,
      until: null,
      path: null,
      user: null,
    });
  });

  it('begin when a request arrived that had to wait for others', async () => {
    const busy = await startTestPlatform({ extra: [slow], local: { server: { max_requests_in_flight: 1 } } });
    try {
      const own = busy.application.sharedState.getOrCreate(RequestTraces, () => traces);
      own.start({ requests: 1, minutes: 1, path: '/v1/atlas/countries' });
      const before = release;
      const first = busy.request('/slow');
      while (release === before) await wait(5);
      const sent = Date.now();
      const second = busy.request('/v1/atlas/countries', { headers: { 'X-Request-Id': 'waited' } });
      await wait(1_000);
      release();
      await Promise.all([first, second]);
      while (own.find('waited') === undefined) await wait(5);
      expect(Date.parse(own.find('waited')?.at ?? '') - sent).toBeLessThan(900);
    } finally {
      await busy.stop();
    }
  });

  it('are complete although recording has stopped meanwhile, and nothing is observed after the last one', async () => {
    const { events } = platform.application;
    traces.start({ requests: 1, minutes: 1 });
    const pending = get('/slow', 'slow');
    while (platform.application.inFlight === 0) await wait(5);
    await wait(20);
    traces.stop();
    release();
    expect(await pending).toBe(200);
    // Recording has ended: the request is not kept, and its listeners are not wrapped any more.
    await wait(20);
    expect(traces.list()).toEqual([]);
    const stacks: string[] = [];
    const detach = events.attach('route', () => void stacks.push(new Error().stack ?? ''), 5);
    await get('/desk/notes', 'after');
    detach();
    expect(stacks.map((stack) => stack.includes('call-observer'))).toEqual([false]);
  });

  it('are kept over a reload, and recording continues', async () => {
    traces.start({ requests: 2, minutes: 1 });
    await get('/desk/notes', 'before');
    await traceOf('before');
    await platform.host.reload();
    await get('/desk/notes', 'after-reload');
    const trace = await traceOf('after-reload');
    expect(traces.find('before')).toBeDefined();
    expect(calls(trace).filter(({ event }) => event === 'dispatch').length).toBeGreaterThan(0);
    // Once each, not once for each application.
    const keys = calls(trace).map(({ of, event, sequence }) => `${of} ${event} ${sequence}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are those of the active configuration, whatever another one that is only built contains', async () => {
    traces.start({ requests: 2, minutes: 1 });
    for (const id of ['first', 'second']) {
      await get('/desk/notes', id);
      await traceOf(id);
    }
    const keep = (enabled: boolean): string =>
      JSON.stringify({ 'platform-operations': { request_trace: { enabled, keep: 1 } } });
    const candidate = await platform.host.build({ local: keep(true) });
    expect(traces.state).toMatchObject({ recording: false, always: false });
    await candidate.dispose();
    expect(traces.state).toMatchObject({ recording: false, always: false });
    expect(traces.list()).toHaveLength(2);
    platform.host.activate(await platform.host.build({ local: keep(true) }));
    expect(traces.state).toMatchObject({ recording: true, always: true });
    expect(traces.list()).toHaveLength(1);
    await platform.host.reload();
    expect(traces.state).toMatchObject({ recording: false, always: false });
  });

  it('include those whose client disconnects', async () => {
    traces.start({ requests: 1, minutes: 1 });
    const { hostname, port } = new URL(platform.origin);
    const socket = connect(Number(port), hostname);
    socket.write('GET /slow HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: gone\r\n\r\n');
    while (platform.application.inFlight === 0) await wait(5);
    await wait(20);
    socket.destroy();
    while (platform.application.inFlight > 0) await wait(5);
    release();
    expect(await traceOf('gone')).toMatchObject({ aborted: true, status: null });
  });
});

describe('all requests', () => {
  const startRecording = (): Promise<TestPlatform> =>
    startTestPlatform({
      extra: [new DeskModule()],
      local: {
        'platform-operations': { access_log: { enabled: false }, request_trace: { enabled: true, keep: 3 } },
      },
    });

  it('are recorded in development, within the limits', async () => {
    const platform = await startRecording();
    try {
      const traces = platform.application.sharedState.find(RequestTraces);
      for (let count = 0; count < 5; count++) await (await platform.request('/desk/notes')).arrayBuffer();
      while ((traces?.list().length ?? 0) < 3) await wait(5);
      expect(traces?.state).toMatchObject({ recording: true, always: true });
      expect(traces?.list()).toHaveLength(3);
    } finally {
      await platform.stop();
    }
  });

  it('are recorded after a recording on demand has ended, too', async () => {
    const platform = await startRecording();
    try {
      const traces = platform.application.sharedState.find(RequestTraces);
      jest.useFakeTimers();
      traces?.start({ requests: 1, minutes: 1 });
      traces?.stop();
      jest.runOnlyPendingTimers();
      jest.useRealTimers();
      await (await platform.request('/desk/notes')).arrayBuffer();
      await until(() => traces?.list().length !== 0);
      expect(traces?.list()).toHaveLength(1);
    } finally {
      jest.useRealTimers();
      await platform.stop();
    }
  });
});
