import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Problem,
  Response as PlatformResponse,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';

/** An API that contradicts its documentation. */
const drifting: Module = {
  name: 'drifting',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Drift',
      versions: {
        1: {
          services: {
            Teapot: defineRpcService({
              route: '/teapot',
              methods: {
                GET: defineProcedure({
                  query: Type.Object({ kind: Type.Optional(Type.String()) }),
                  status_codes: [{ code: 410, message: 'Gone' }],
                  response: Type.Object({ tea: Type.String() }),
                  handler: ({ query: { kind } }) => {
                    if (kind === 'status') throw new Problem(418, 'Short and stout.');
                    if (kind === 'problem') throw new Problem(410, 'Drunk.');
                    if (kind === 'broken') throw new Error('shards');
                    if (kind === 'type')
                      return new PlatformResponse(200, 'tea', [['Content-Type', 'text/plain']]);
                    return { tea: kind === 'schema' ? (1 as never) : 'green' };
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
afterEach(() => platform.stop());

async function differencesOf(
  mode: 'report' | 'count' | 'off',
  kinds: readonly string[],
): Promise<readonly string[]> {
  platform = await startTestPlatform({
    extra: [drifting],
    local: { 'platform-hosting': { check_responses: mode } },
  });
  for (const kind of kinds) await platform.request(`/v1/teapot${kind === '' ? '' : `?kind=${kind}`}`);
  return platform.log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
}

describe('documented response checks', () => {
  it('report an undocumented status, media type or schema once', async () => {
    expect(await differencesOf('report', ['status', 'status', 'type', 'type', 'schema', 'schema'])).toEqual([
      'Drift-v1/Teapot GET responds 418, which is not documented.',
      'Drift-v1/Teapot GET responds with text/plain, which is not documented.',
      expect.stringMatching(
        /^Drift-v1\/Teapot GET returned a response that does not match its schema: \/tea must be string/,
      ),
    ]);
  });

  it('report nothing for documented responses, including errors', async () => {
    expect(await differencesOf('report', ['', 'problem', 'broken'])).toEqual([]);
    for (const init of [
      { headers: { accept: 'image/png' } },
      { method: 'POST' },
      { method: 'HEAD' },
      { method: 'OPTIONS' },
    ]) {
      await platform.request('/v1/teapot', init);
    }
    await platform.request('/v1/teapot?undeclared=1');
    expect(platform.log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('report nothing that the platform itself responds', async () => {
    const resource = { fetch: () => ({ id: '1' }), update: () => undefined, delete: () => false } as never;
    const Kept = defineRestService({
      route: '/kept[/:id]',
      route_identifier_name: 'id',
      resource,
      fields: Type.Object({ id: Type.String() }),
      entity: { GET: {}, PUT: {}, DELETE: {} },
    });
    const Later = defineRpcService({ route: '/later', methods: { GET: { handler: 'not-implemented' } } });
    platform = await startTestPlatform({
      extra: [
        {
          name: 'kept',
          requires: ['hosting'],
          apis: [defineApi({ name: 'Kept', versions: { 1: { services: { Kept, Later } } } })],
        },
      ],
      local: { 'platform-hosting': { check_responses: 'report' } },
    });
    const statusOf = async (path: string, method = 'GET'): Promise<number> =>
      (await platform.request(path, { method, headers: method === 'GET' ? { 'If-Match': '"x"' } : {} }))
        .status;
    expect([
      await statusOf('/v1/kept/1'),
      await statusOf('/v1/kept/1', 'DELETE'),
      await statusOf('/v1/later'),
    ]).toEqual([412, 422, 501]);
    const known = await platform.request('/v1/kept/1', { headers: { 'If-None-Match': '*' } });
    expect(known.status).toBe(304);
    expect(platform.log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
    const page = await platform.request('/platform/documentation/Kept/Kept?format=html');
    expect(await page.text()).toContain('not_deleted');
  });

  it.each(['count', 'off'] as const)('log nothing in the mode "%s"', async (mode) => {
    expect(await differencesOf(mode, ['status', 'type', 'schema'])).toEqual([]);
  });
});
