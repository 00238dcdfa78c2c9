import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ContainerModule,
  currentContext,
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Response as Answer,
  Type,
  type ConfigObject,
  type Module,
} from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { sendJson } from '../../factories/http/requests';
import { HOSTING } from '../../factories/processes/start-refusal';

/** Reads the current context from anywhere, without a parameter. */
function whose(): string {
  return currentContext().requestId;
}

async function later(): Promise<string> {
  await pause(2);
  await new Promise((resolve) => setImmediate(resolve));
  return whose();
}

/** The streams that were closed, by the request that opened them. */
const ended: string[] = [];

async function* items(): AsyncGenerator<string> {
  try {
    for (let count = 0; count < 3; count++) {
      yield whose();
      await pause(2);
      yield whose();
    }
  } finally {
    ended.push(whose());
  }
}

/** More than a socket buffers: reading continues once it has drained. */
function* lines(): Generator<string> {
  for (let count = 0; count < 200; count++) yield `${whose().padEnd(9_999, '.')}\n`;
}

const text = (method: () => unknown) =>
  defineRpcService({ route: '/', methods: { GET: defineProcedure({ handler: method }) } });
const at = (route: string, service: ReturnType<typeof text>) => ({ ...service, route });

class ContextModule implements Module {
  readonly name = 'contexts';
  readonly requires = ['hosting'];
  readonly services = new ContainerModule(({ bind }) => {
    bind('known').toConstantValue({ permits: async () => (await later()) === whose() });
  });
  readonly apis = [
    defineApi({
      name: 'Contexts',
      versions: {
        1: {
          services: {
            Now: at('/now', text(whose)),
            Later: at('/later', text(later)),
            All: at(
              '/all',
              text(() => {
                const { api, version, identity, query, requestId } = currentContext();
                return { api, version, isGuest: identity.isGuest, query, requestId };
              }),
            ),
            Items: defineRpcService({
              route: '/items',
              methods: {
                GET: defineProcedure({
                  stream: ['application/x-ndjson', 'text/event-stream'],
                  handler: items,
                }),
              },
            }),
            Lines: at(
              '/lines',
              text(() => new Answer(200, Readable.from(lines()))),
            ),
            Note: defineRestService({
              route: '/notes[/:note_id]',
              route_identifier_name: 'note_id',
              fields: Type.Object({ note_id: Type.String(), by: Type.String() }),
              input: Type.Object({ by: Type.String() }),
              validators: [
                async ({ by }: { by: string }) =>
                  by === (await later()) ? undefined : [{ pointer: '/by', message: `is not ${whose()}` }],
              ],
              collection: { GET: {}, POST: {} },
              entity: { GET: {}, DELETE: { authorization: { policy: 'known' } } },
              resource: {
                fetchAll: async () => [{ note_id: '1', by: await later() }],
                fetch: (note_id) => ({ note_id, by: whose() }),
                create: async () => ({ note_id: '2', by: await later() }),
                delete: () => true,
              },
            }),
          },
        },
      },
    }),
  ];
}

let platform: TestPlatform;
const start = async (local: ConfigObject): Promise<void> => {
  platform = await startTestPlatform({ modules: HOSTING, extra: [new ContextModule()], local });
};
const ask = async (path: string, id: string, init: RequestInit = {}): Promise<string> => {
  const headers = new Headers(init.headers);
  headers.set('X-Request-Id', id);
  return (await platform.request(path, { ...init, headers })).text();
};

describe('currentContext() with context_storage on', () => {
  beforeAll(() => start({ 'platform-hosting': { context_storage: true } }));
  afterAll(() => platform.stop());

  it('is available in a handler, with all its members', async () => {
    expect(await ask('/now', 'a')).toBe('"a"');
    expect(JSON.parse(await ask('/all', 'b'))).toEqual({
      api: 'Contexts',
      version: 1,
      isGuest: true,
      query: {},
      requestId: 'b',
    });
  });

  it('is available after an await in a handler', async () => {
    expect(await ask('/later', 'c')).toBe('"c"');
  });

  it('separates concurrent requests', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => `r${at}`);
    expect(await Promise.all(ids.map((id) => ask('/later', id)))).toEqual(ids.map((id) => `"${id}"`));
  });

  it('is available in the methods of a resource and in validators', async () => {
    expect(JSON.parse(await ask('/notes', 'd'))).toEqual([{ note_id: '1', by: 'd' }]);
    expect(JSON.parse(await ask('/notes/7', 'e'))).toEqual({ note_id: '7', by: 'e' });
    expect(JSON.parse(await ask('/notes', 'f', sendJson({ by: 'f' })))).toEqual({ note_id: '2', by: 'f' });
    expect(await ask('/notes', 'g', sendJson({ by: 'f' }))).toContain('is not g');
  });

  it('is available in a policy', async () => {
    const known: Module = {
      name: 'known-user',
      requires: ['mvc-auth'],
      onBootstrap: ({ application }) =>
        void application.events.attach('authentication', () => ({ name: 'ada', isGuest: false, groups: [] })),
    };
    const other = await startTestPlatform({
      modules: HOSTING,
      extra: [new ContextModule(), known],
      local: { 'platform-hosting': { context_storage: true } },
    });
    try {
      expect((await other.request('/notes/1', { method: 'DELETE' })).status).toBe(204);
    } finally {
      await other.stop();
    }
  });

  it('is available in a stream, from the first item to its end', async () => {
    const answers = await Promise.all(['s1', 's2', 's3'].map((id) => ask('/items', id)));
    expect(answers).toEqual(['s1', 's2', 's3'].map((id) => `"${id}"\n`.repeat(6)));
    expect(ended.sort()).toEqual(['s1', 's2', 's3']);
  });

  it('is available when a client leaves a stream', async () => {
    ended.length = 0;
    const leave = new AbortController();
    const answer = await platform.request('/items', {
      headers: { 'X-Request-Id': 'left' },
      signal: leave.signal,
    });
    await answer.body?.getReader().read();
    leave.abort();
    for (let tries = 0; tries < 3000 && ended.length === 0; tries++) await pause(5);
    expect(ended).toEqual(['left']);
  });

  it('is available in a Node.js stream that is read at the pace of its client', async () => {
    const slow = async (id: string): Promise<ReadonlySet<string>> => {
      const answer = await platform.request('/lines', { headers: { 'X-Request-Id': id } });
      let all = '';
      for await (const chunk of answer.body ?? []) {
        all += Buffer.from(chunk).toString();
        await pause(1);
      }
      expect(all).toHaveLength(2_000_000);
      return new Set(all.split(/\.*\n/).filter((line) => line !== ''));
    };
    const seen = await Promise.all(['l1', 'l2', 'l3'].map(slow));
    expect(seen).toEqual(['l1', 'l2', 'l3'].map((id) => new Set([id])));
  });

  it('reports a missing context outside a request', () => {
    expect(() => currentContext()).toThrow(/no current request/);
  });
});

describe('currentContext() with context_storage off', () => {
  beforeAll(() => start({}));
  afterAll(() => platform.stop());

  it('names the setting in the log, and does not reveal it to clients', async () => {
    const answer = await ask('/now', 'a');
    expect(JSON.parse(answer)).toMatchObject({ status: 500 });
    expect(answer).not.toContain('context');
    const [line] = platform.log.lines;
    expect(String(Reflect.get(line?.details ?? {}, 'err'))).toContain(
      'Set platform-hosting.context_storage to true',
    );
  });
});
