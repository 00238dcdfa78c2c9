import { EventEmitter, on, once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  ServerSentEvent,
  Type,
  type Module,
  type TSchema,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const LINES = 'application/x-ndjson';
const EVENTS = 'text/event-stream';
const fields = Type.Object({ id: Type.Integer() });

let made = 0;
let put = 0;
let signal: AbortSignal | undefined;
let source: Readable | undefined;

async function* endless(text: string): AsyncGenerator {
  try {
    for (;;) {
      made++;
      yield { text };
      await pause(0);
    }
  } finally {
    put++;
  }
}

const procedure = (handler: (context: { signal: AbortSignal }) => unknown, response: TSchema = fields) =>
  defineRpcService({
    route: '/none',
    timeout: 0.2,
    methods: { GET: defineProcedure({ stream: [LINES, EVENTS], response, handler }) },
  });

const services = {
  Numbers: {
    ...procedure(async function* () {
      yield { id: 1 };
      await pause(300);
      yield new ServerSentEvent({ id: 2 }, { event: 'more', id: '2', retry: 500 });
    }),
    route: '/numbers',
  },
  Endless: {
    ...procedure(
      (context) => {
        signal = context.signal;
        return endless('x'.repeat(10_000));
      },
      Type.Object({ text: Type.String() }),
    ),
    route: '/endless',
  },
  Waiting: {
    ...procedure(async function* (context) {
      signal = context.signal;
      try {
        yield { id: 1 };
        await pause(60_000, undefined, { signal: context.signal });
      } finally {
        put++;
      }
    }),
    route: '/waiting',
  },
  Late: {
    ...procedure(async () => {
      await pause(400);
      return endless('late');
    }),
    route: '/late',
  },
  LateAbort: {
    ...procedure(async ({ signal: ended }) => {
      put++;
      await pause(150);
      return (async function* () {
        for await (const item of on(new EventEmitter(), 'item', { signal: ended })) yield { id: item };
      })();
    }),
    route: '/late-abort',
  },
  Broken: {
    ...procedure(async function* () {
      yield { id: 1 };
      await pause(10);
      throw new Error('the tape is torn');
    }),
    route: '/broken',
  },
  Wrong: { ...procedure(() => 7), route: '/wrong' },
  Bytes: { ...procedure(() => Buffer.from('12')), route: '/bytes' },
  Differing: { ...procedure(() => [{ id: 'one' }]), route: '/differing' },
  Source: {
    ...procedure(() => (source = Readable.from([{ id: 1 }, { id: 2 }]))),
    route: '/source',
  },
  Entry: defineRestService({
    route: '/entries[/:id]',
    route_identifier_name: 'id',
    fields,
    collection: { GET: { stream: [EVENTS, LINES], query: Type.Object({ count: Type.Integer() }) } },
    entity: { GET: {} },
    resource: {
      fetch: () => ({ id: 1 }),
      async *fetchAll({ query }) {
        for (let id = 1; id <= query.count; id++) yield await Promise.resolve({ id });
      },
    },
  }),
};

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services } } })],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
    extra: [house],
    local: { 'platform-hosting': { check_responses: 'report' } },
  });
});
afterAll(() => platform.stop());
beforeEach(() => {
  made = 0;
  put = 0;
  platform.log.lines.length = 0;
});

const ask = (path: string, accept?: string) =>
  platform.request(path, accept === undefined ? {} : { headers: { Accept: accept } });

async function begin(path: string): Promise<readonly [ReturnType<typeof request>, IncomingMessage]> {
  const outgoing = request(platform.origin + path);
  outgoing.on('error', () => undefined);
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return [outgoing, answer];
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 15_000;
  while (!isSo() && performance.now() < end) await pause(5);
  expect(isSo()).toBe(true);
}

describe('a streaming operation', () => {
  it('writes a line of JSON for each item, beyond its time limit', async () => {
    const answer = await ask('/numbers');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(LINES);
    expect(answer.headers.get('vary')).toBe('Accept');
    expect(await answer.text()).toBe('{"id":1}\n{"id":2}\n');
  });

  it('writes server-sent events when the client accepts them', async () => {
    const answer = await ask('/numbers', EVENTS);
    expect(answer.headers.get('content-type')).toBe(EVENTS);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toBe('data: {"id":1}\n\nevent: more\nid: 2\nretry: 500\ndata: {"id":2}\n\n');
  });

  it('responds 406 before it starts when the client accepts neither', async () => {
    const answer = await ask('/endless', 'application/json');
    expect(answer.status).toBe(406);
    expect((await bodyOf(answer)).available).toEqual([LINES, EVENTS]);
    expect(made).toBe(0);
  });

  it('may be the GET of a collection', async () => {
    expect(await (await ask('/entries?count=2', LINES)).text()).toBe('{"id":1}\n{"id":2}\n');
    expect((await ask('/entries?count=2')).headers.get('content-type')).toBe(EVENTS);
    expect((await ask('/entries?count=many')).status).toBe(400);
    expect((await ask('/entries/1')).headers.get('content-type')).toBe('application/json');
  });

  it('accepts a Node.js stream', async () => {
    expect(await (await ask('/source')).text()).toBe('{"id":1}\n{"id":2}\n');
  });

  it('produces items no faster than the client reads', async () => {
    const [asked, answer] = await begin('/endless');
    answer.pause();
    let before = -1;
    // When the buffers on the way are full, no more items are produced.
    while (before !== made) {
      before = made;
      await pause(300);
    }
    expect(made).toBeGreaterThan(1);
    asked.destroy();
    await until(() => put === 1);
  }, 120_000);

  it('is notified when the client disconnects, and releases its resources', async () => {
    const [asked, answer] = await begin('/waiting');
    await once(answer, 'data');
    expect(signal?.aborted).toBe(false);
    asked.destroy();
    await until(() => put === 1);
    expect(signal?.aborted).toBe(true);
    expect(platform.log.lines).toEqual([]);
  });

  it('of events ends when the service stops, and releases its resources; its client connects again', async () => {
    const stopping = await startTestPlatform({ modules: HOSTING, extra: [house] });
    const answer = await stopping.request('/waiting', { headers: { Accept: EVENTS } });
    const reader = answer.body?.getReader();
    await reader?.read();
    expect(signal?.aborted).toBe(false);
    const stopped = stopping.stop();
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
    await stopped;
    await until(() => put === 1);
    expect(signal?.aborted).toBe(true);
    expect(stopping.log.lines).toEqual([]);
  });

  it('of events that has not begun when the service stops is empty', async () => {
    const stopping = await startTestPlatform({ modules: HOSTING, extra: [house] });
    const answer = stopping.request('/late-abort', { headers: { Accept: EVENTS } });
    await until(() => put === 1);
    const stopped = stopping.stop();
    const { status } = await answer;
    await stopped;
    expect({ status, text: await (await answer).text(), log: stopping.log.lines }).toEqual({
      status: 200,
      text: '',
      log: [],
    });
  });

  it('of events ends when the service stops, although a pipelined request waits behind it', async () => {
    const stopping = await startTestPlatform({ modules: HOSTING, extra: [house] });
    const { port } = new URL(stopping.origin);
    const client = connect(Number(port), '127.0.0.1');
    client.setEncoding('utf8');
    const requests = ['/waiting', '/source'].map(
      (one) => `GET ${one} HTTP/1.1\r\nHost: localhost\r\nAccept: ${EVENTS}\r\n\r\n`,
    );
    client.write(requests.join(''));
    let text = '';
    client.on('data', (part: string) => (text += part));
    await until(() => text.includes('"id":1'));
    await stopping.stop();
    await until(() => text.split('HTTP/1.1 200').length === 3);
    expect(text.split('HTTP/1.1 200')[1]).toMatch(/\r\n0\r\n\r\n$/);
    expect(stopping.log.lines).toEqual([]);
  });

  it('produces no items for HEAD', async () => {
    const answer = await platform.request('/endless', { method: 'HEAD' });
    expect(answer.headers.get('content-type')).toBe(LINES);
    await platform.request('/source', { method: 'HEAD' });
    await until(() => source?.destroyed === true);
    expect(made).toBe(0);
  });

  it('is closed when it arrives after the timeout', async () => {
    expect((await ask('/late')).status).toBe(503);
    await pause(300);
    expect(made).toBe(0);
  });

  it('that fails halfway is cut off without a regular end, and logged', async () => {
    const answer = await ask('/broken');
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    // The client may notice first: newer versions of Node report once all streams of a pipeline are closed.
    await until(() => platform.log.lines.length > 0);
    expect(platform.log.lines).toEqual([
      expect.objectContaining({ level: 'error', message: 'The stream of a response failed.' }),
    ]);
    expect((platform.log.lines[0]?.details as { err: Error }).err.message).toBe('the tape is torn');
  });

  it.each([
    ['/wrong', 'House-v1/Wrong GET has a stream but returned neither an iterable nor a stream: 7.'],
    ['/bytes', 'neither an iterable nor a stream: an instance of Buffer.'],
  ])('that does not return an iterable is a bare 500: %s', async (path, reason) => {
    expect((await ask(path)).status).toBe(500);
    expect(String((platform.log.lines[0]?.details as { err: Error }).err)).toContain(reason);
  });

  it('has its items checked against their schema', async () => {
    expect(await (await ask('/differing')).text()).toBe('{"id":"one"}\n');
    expect(platform.log.lines.map(({ message }) => message)).toEqual([
      'House-v1/Differing GET returned a response that does not match its schema: /id must be integer.',
    ]);
  });

  it('is documented with its types', async () => {
    const document = await bodyOf(await ask('/platform/documentation/House-v1?format=apidesc'));
    expect(document.paths).toMatchObject({
      '/v1/numbers': { get: { responses: { 200: { content: { [LINES]: {}, [EVENTS]: {} } } } } },
    });
    const json = await (await ask('/platform/documentation/House-v1/Numbers', 'application/json')).text();
    expect(json).toContain(EVENTS);
  });
});

describe('a declaration of a stream', () => {
  const refusal = (service: object) =>
    startRefusal({
      modules: HOSTING,
      extra: [
        {
          name: 'shed',
          requires: ['hosting'],
          apis: [{ name: 'Shed', versions: { 1: { services: { T: service } } } }],
        },
      ],
    });
  const rest = { ...services.Entry, resource: { fetch: () => ({ id: 1 }), fetchAll: () => [] } };

  it('is rejected where streaming is not supported', async () => {
    expect(await refusal({ ...rest, entity: { GET: { stream: [LINES] } } })).toContain(
      'Shed-v1/T entity GET has a stream. Only procedures and the GET and QUERY of a collection may stream',
    );
  });

  it('is rejected together with paging', async () => {
    expect(await refusal({ ...rest, page_size: 5 })).toContain(
      'Shed-v1/T collection GET has a stream, and its service a page_size.',
    );
  });

  it('is rejected with an invalid type', async () => {
    const collection = { GET: { stream: ['text/csv'] } };
    expect(await refusal({ ...rest, collection })).toContain(
      'Shed-v1/T collection GET: stream has "text/csv". Available: application/x-ndjson, text/event-stream.',
    );
  });
});

describe('a server-sent event', () => {
  it('has a single-line type and id', () => {
    expect(() => new ServerSentEvent(1, { id: 'a\ndata: b' })).toThrow('must not contain line breaks');
  });
});
