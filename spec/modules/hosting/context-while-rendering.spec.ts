import { setTimeout as pause } from 'node:timers/promises';
import {
  currentContext,
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Problem,
  Type,
  type ConfigObject,
  type Module,
} from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { HOSTING } from '../../factories/processes/start-refusal';

const whose = (): string => currentContext().requestId;

/** A result that reads the current identity while it is rendered, after its handler has returned. */
class Page {
  readonly page_id: string;
  constructor(page_id: string) {
    this.page_id = page_id;
  }
  toJSON() {
    return { page_id: this.page_id, shown_for: whose() };
  }
}

const stopped: string[] = [];
const waiting: ((value: string) => void)[] = [];

const pages = (route: string, selector?: string) =>
  defineRestService({
    route: `${route}[/:page_id]`,
    route_identifier_name: 'page_id',
    fields: Type.Object({ page_id: Type.String(), shown_for: Type.Optional(Type.String()) }),
    ...(selector === undefined ? {} : { selector }),
    collection: { GET: {} },
    entity: { GET: {} },
    resource: {
      fetch: async (id) => (await pause(2), new Page(id)),
      fetchAll: async () => (await pause(2), [new Page('1'), new Page('2')]),
      links: () => ({ asker: { href: `/askers/${whose()}` } }),
      embedded: () => ({ asker: { name: whose() } }),
    },
  });

const endless = (timeout?: number) =>
  defineProcedure({
    ...(timeout === undefined ? {} : { timeout }),
    handler: ({ signal }) => {
      signal.addEventListener('abort', () => stopped.push(whose()));
      return new Promise<string>((resolve) => void waiting.push(resolve));
    },
  });

const module_: Module = {
  name: 'shown',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Shown',
      versions: {
        1: {
          services: {
            Plain: pages('/plain'),
            Linked: pages('/linked', 'HalJson'),
            Endless: defineRpcService({ route: '/endless', methods: { GET: endless() } }),
            Slow: defineRpcService({ route: '/slow', methods: { GET: endless(0.05) } }),
            Refusing: defineRpcService({
              route: '/refusing',
              methods: {
                GET: defineProcedure({
                  handler: () => {
                    throw new Problem(409, 'No.', { extensions: { by: { toJSON: whose } } });
                  },
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
const start = async (local: ConfigObject): Promise<void> => {
  platform = await startTestPlatform({ modules: [...HOSTING, 'hal'], extra: [module_], local });
};
afterEach(() => platform.stop());
const ask = async (path: string, id: string): Promise<unknown> =>
  (await platform.request(path, { headers: { 'X-Request-Id': id } })).json();

describe('currentContext() with context_storage on', () => {
  beforeEach(() => start({ 'platform-hosting': { context_storage: true } }));

  it('is available in toJSON of results, for many concurrent requests', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `r${at}`);
    const answers = await Promise.all(ids.map((id) => ask('/plain/7', id)));
    expect(answers).toEqual(ids.map((id) => ({ page_id: '7', shown_for: id })));
    expect(await ask('/plain', 'a')).toEqual([
      { page_id: '1', shown_for: 'a' },
      { page_id: '2', shown_for: 'a' },
    ]);
  });

  it('is available in links and in embedded resources', async () => {
    expect(await ask('/linked/7', 'b')).toEqual({
      _links: { self: { href: '/linked/7' }, asker: { href: '/askers/b' } },
      page_id: '7',
      shown_for: 'b',
      _embedded: { asker: { name: 'b' } },
    });
    expect(JSON.stringify(await ask('/linked', 'c')).match(/askers\/c/g)).toHaveLength(2);
  });

  it('is available in the members of a problem', async () => {
    expect(await ask('/refusing', 'd')).toMatchObject({ status: 409, by: 'd' });
  });

  it('is available when a client disconnects and when a timeout ends', async () => {
    stopped.length = 0;
    const leave = new AbortController();
    const left = platform.request('/endless', { headers: { 'X-Request-Id': 'left' }, signal: leave.signal });
    for (let tries = 0; tries < 3000 && waiting.length === 0; tries++) await pause(5);
    leave.abort();
    await expect(left).rejects.toThrow();
    for (let tries = 0; tries < 3000 && stopped.length === 0; tries++) await pause(5);
    expect(await ask('/slow', 'late')).toMatchObject({ status: 503 });
    expect(stopped).toEqual(['left', 'late']);
    for (const resolve of waiting) resolve('done');
  });
});

describe('currentContext() with context_storage off', () => {
  it('is not available while rendering, and the log says why', async () => {
    await start({});
    expect(await ask('/plain/7', 'a')).toMatchObject({ status: 500 });
    expect(String(Reflect.get(platform.log.lines[0]?.details ?? {}, 'err'))).toContain(
      'Set platform-hosting.context_storage to true',
    );
  });
});
