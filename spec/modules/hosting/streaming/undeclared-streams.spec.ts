import { Readable } from 'node:stream';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

let put = 0;
let source: Readable | undefined;
const readable = (): Readable => (source = Readable.from(['a', 'b']));

async function* later(): AsyncGenerator {
  try {
    yield await Promise.resolve(1);
  } finally {
    put++;
  }
}

function* now(): Generator {
  yield 1;
}

/** Values that plain JavaScript may return but the types do not allow. */
const anything = (value: unknown): { id: string } => value as { id: string };

const results: Readonly<Record<string, () => unknown>> = {
  later,
  'later-promised': async () => Promise.resolve(later()),
  now,
  readable,
  web: () => new ReadableStream(),
  shown: () => Object.assign(later(), { toJSON: () => ({ shown: true }) }),
  list: () => [1],
};

const Made = defineRpcService({
  route: '/made',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ kind: Type.String() }),
      handler: ({ query }) => results[query.kind]?.(),
    }),
  },
});
const Entity = defineRestService({
  route: '/entities[/:id]',
  route_identifier_name: 'id',
  fields: Type.Object({ id: Type.String() }),
  collection: { GET: {} },
  entity: { GET: { timeout: 0 } },
  resource: { fetch: () => anything(readable()), fetchAll: () => later() as AsyncGenerator<{ id: string }> },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services: { Made, Entity } } } })],
};

let platform: TestPlatform;
beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [house] })));
afterAll(() => platform.stop());
beforeEach(() => {
  put = 0;
  platform.log.lines.length = 0;
});

const logged = (): string => String((platform.log.lines[0]?.details as { err: Error }).err);

describe('a stream returned by an operation without `stream`', () => {
  it.each([
    ['later', 'an async iterable'],
    ['later-promised', 'an async iterable'],
    ['now', 'a generator'],
    ['readable', 'a Node.js stream'],
    ['web', 'an async iterable'],
  ])('(%s) is a bare 500, and the log says what to declare', async (kind, what) => {
    const answer = await platform.request(`/made?kind=${kind}`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('stream');
    expect(platform.log.lines).toHaveLength(1);
    expect(logged()).toContain(
      `House-v1/Made GET returned ${what}, but declares no stream. Declare stream: ['application/x-ndjson']`,
    );
  });

  it('is closed', async () => {
    await platform.request('/made?kind=readable');
    expect(source?.destroyed).toBe(true);
    await platform.request('/made?kind=later');
    // A generator that was never started has nothing open.
    expect(put).toBe(0);
  });

  it('is reported for a resource too', async () => {
    expect((await platform.request('/entities/1')).status).toBe(500);
    expect(logged()).toContain(
      'House-v1/Entity entity GET returned a Node.js stream, but declares no stream.',
    );
    expect(source?.destroyed).toBe(true);
    platform.log.lines.length = 0;
    expect((await platform.request('/entities')).status).toBe(500);
    expect(logged()).toContain('House-v1/Entity collection GET returned an async iterable');
  });

  it.each([
    ['shown', { shown: true }],
    ['list', [1]],
  ])('is not reported for other values (%s)', async (kind, shown) => {
    expect(await (await platform.request(`/made?kind=${kind}`)).json()).toEqual(shown);
    expect(platform.log.lines).toEqual([]);
  });
});
