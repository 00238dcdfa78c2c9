import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Readable } from 'node:stream';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  problem,
  Type,
  type HandlerContext,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const TIMEOUT = 0.1;

/** How often a handler has reached its late end. */
let ends = 0;
let acted: string[] = [];
let source: Readable | undefined;
let isReturned = false;

/** The service's timeout, plus a margin. */
async function afterTimeout({ signal }: Pick<HandlerContext, 'signal'>): Promise<void> {
  await once(signal, 'abort');
  await pause(30);
}

/** What a handler does after the timeout response. */
const behaviors: Readonly<Record<string, (context: HandlerContext) => unknown>> = {
  answers: () => ({ late: true }),
  throws: () => {
    throw new Error('the database came back as another');
  },
  stops: ({ signal }) => {
    throw signal.reason;
  },
  aborts: () => {
    throw new DOMException('stopped', 'AbortError');
  },
  cancels: () => {
    const cause = new Error('The statement was cancelled.', { cause: new DOMException('', 'AbortError') });
    throw problem('database_unavailable', {}, { cause });
  },
  streams: () => (source = Readable.from(['late'])),
  generates: async function* () {
    yield await Promise.resolve(1);
  },
  iterates: () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve({ done: false, value: 1 }),
      return: () => {
        isReturned = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  }),
  looks: ({ identity, query, body, parameters, precondition, requestId, log, signal, version }) => {
    log.info({ version, requestId, query, body, parameters, name: identity.name }, 'looked');
    precondition.assert(1);
    return signal.aborted;
  },
  answersByHand: ({ event }) => {
    event.response.status = 200;
    event.response.fields.set('X-Late', 'yes');
    event.response.body = 'late';
    return event.response;
  },
  setsFields: ({ event: { outgoing } }) => {
    outgoing.setHeader('X-Late', 'yes');
  },
  writesAtOnce: () => undefined,
  writes: ({ event: { outgoing } }) => {
    outgoing.write('late');
    outgoing.write('later');
    outgoing.end('latest');
  },
};

/** Writes while the 503 is being sent. */
async function writeAtOnce({ signal, event }: HandlerContext): Promise<void> {
  await once(signal, 'abort');
  while (!event.outgoing.writableEnded) await Promise.resolve();
  event.outgoing.write('late');
  event.outgoing.write('later');
}

const Late = defineRpcService({
  route: '/late',
  timeout: TIMEOUT,
  methods: {
    GET: defineProcedure({
      query: Type.Object({ manner: Type.String() }),
      handler: async (context) => {
        if (context.query.manner === 'writesAtOnce') await writeAtOnce(context);
        else await afterTimeout(context);
        try {
          return await behaviors[context.query.manner]?.(context);
        } finally {
          ends++;
        }
      },
    }),
  },
});

const fields = Type.Object({ id: Type.String() });
const Slow = defineRestService({
  route: '/slow[/:id]',
  route_identifier_name: 'id',
  timeout: TIMEOUT,
  fields,
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PUT: {}, DELETE: {} },
  resource: {
    revision: ({ id }) => id,
    fetch: async (id, context) => afterTimeout(context).then(() => ({ id })),
    fetchAll: async (context) => afterTimeout(context).then(() => [{ id: '1' }]),
    create: async ({ id }, context) => afterTimeout(context).then(() => ({ id })),
    update: (id) => {
      acted.push('update');
      return { id };
    },
    delete: () => {
      acted.push('delete');
      return true;
    },
  },
});

const Good = defineRpcService({
  route: '/good',
  methods: { GET: defineProcedure({ handler: () => ({ good: true }) }) },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services: { Late, Slow, Good } } } })],
};

const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ modules: HOSTING, extra: [house] });
  process.on('unhandledRejection', note).on('uncaughtException', note);
});
afterAll(() => {
  process.off('unhandledRejection', note).off('uncaughtException', note);
  return platform.stop();
});
beforeEach(() => {
  ends = 0;
  acted = [];
  uncaught.length = 0;
  platform.log.lines.length = 0;
});

async function isOver(times = 1): Promise<void> {
  while (ends < times) await pause(5);
  // The effects arrive in later turns of the event loop.
  await pause(30);
}

const warnings = () => platform.log.lines.filter(({ level }) => level === 'warn');

describe('a handler that ends after its timeout', () => {
  it.each(Object.keys(behaviors))('(%s) does not change the 503, and causes no harm', async (manner) => {
    const answer = await platform.request(`/late?manner=${manner}`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('x-late')).toBeNull();
    expect((await bodyOf(answer)).status).toBe(503);
    await isOver();
    expect(await (await platform.request('/good')).json()).toEqual({ good: true });
    expect(uncaught).toEqual([]);
    const errors = platform.log.lines.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
  });

  it.each([
    ['throws', 'Error: the database came back as another'],
    ['setsFields', 'ERR_HTTP_HEADERS_SENT'],
    ['writesAtOnce', 'write after end'],
  ])('(%s) has its error logged, once', async (manner, reason) => {
    await platform.request(`/late?manner=${manner}`);
    await isOver();
    expect(warnings()).toEqual([
      expect.objectContaining({
        message: 'An operation failed after it had timed out.',
        details: expect.objectContaining({ operation: 'House-v1/Late GET' }) as unknown,
      }),
    ]);
    const { err } = warnings()[0]?.details as { err: Error & { code?: string } };
    expect(`${String(err)} ${err.code}`).toContain(reason);
  });

  it.each(['answers', 'stops', 'aborts', 'cancels'])('(%s) logs nothing more', async (manner) => {
    await platform.request(`/late?manner=${manner}`);
    await isOver();
    expect(warnings()).toEqual([]);
  });

  it('may still read its context', async () => {
    await platform.request('/late?manner=looks');
    await isOver();
    expect(platform.log.lines).toContainEqual(
      expect.objectContaining({
        message: 'looked',
        details: expect.objectContaining({ version: 1, query: { manner: 'looks' } }) as unknown,
      }),
    );
  });

  it('has its stream closed', async () => {
    await platform.request('/late?manner=streams');
    await isOver();
    expect(source?.destroyed).toBe(true);
  });

  it('has its iterator returned', async () => {
    isReturned = false;
    await platform.request('/late?manner=iterates');
    await isOver();
    expect(isReturned).toBe(true);
  });
});

describe('a resource that ends after its timeout', () => {
  it.each([
    ['GET', '/slow/1'],
    ['GET', '/slow'],
    ['POST', '/slow'],
  ])('sets no header of a response that is not its own: %s %s', async (method, path) => {
    const answer = await platform.request(path, method === 'GET' ? {} : sendJson({ id: '1' }, method));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.headers.get('location')).toBeNull();
    await pause(100);
    expect(warnings()).toEqual([]);
  });

  it.each(['PUT', 'DELETE'])('changes nothing more: %s', async (method) => {
    const headers = { 'If-Match': '"1"', 'Content-Type': 'application/json' };
    const body = method === 'PUT' ? { body: '{"id":"1"}' } : {};
    expect((await platform.request('/slow/1', { method, headers, ...body })).status).toBe(503);
    await pause(100);
    expect(acted).toEqual([]);
    // Without the fetch of the current state, it is in time.
    const { 'If-Match': _, ...others } = headers;
    const inTime = await platform.request('/slow/1', { method, headers: others, ...body });
    expect([200, 204]).toContain(inTime.status);
    expect(acted).toHaveLength(1);
  });
});
