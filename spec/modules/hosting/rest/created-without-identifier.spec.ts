import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { idOfEntity } from '../../../../src/modules/hosting/rest/identifier';
import { startTestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const fields = Type.Object({ note_id: Type.Optional(Type.String()), text: Type.String() });

const notes = (path: string, create: (data: { text: string }) => object) =>
  defineRestService({
    route: `/${path}[/:note_id]`,
    route_identifier_name: 'note_id',
    fields,
    collection: { POST: {} },
    ...(path.startsWith('log') ? {} : { entity: { GET: {} } }),
    resource: { create: (data) => ({ text: '', ...create(data) }), fetch: () => undefined },
  });

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'House',
      versions: {
        1: {
          services: {
            Nameless: notes('nameless', ({ text }) => ({ text })),
            Unnameable: notes('unnameable', ({ text }) => ({ text, note_id: '..' })),
            Named: notes('named', ({ text }) => ({ text, note_id: '1' })),
            Object: notes('object', ({ text }) => ({ text, note_id: { toJSON: () => 'a1' } as never })),
            Log: notes('log', ({ text }) => ({ text })),
            NamedLog: notes('log-named', ({ text }) => ({ text, note_id: '1' })),
          },
        },
      },
    }),
  ],
};

async function warningsOf(mode: string, path: string): Promise<readonly (string | null)[]> {
  const platform = await startTestPlatform({
    modules: HOSTING,
    extra: [house],
    local: { 'platform-hosting': { check_responses: mode } },
  });
  for (let time = 0; time < 2; time++)
    expect((await platform.request(`/v1/${path}`, sendJson({ text: 'a' }))).status).toBe(201);
  await platform.stop();
  return platform.log.lines.map(({ message }) => message);
}

describe('a created entity of a service without operations of entities', () => {
  it('has no Location, which would respond 405, and none is documented', async () => {
    const platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      extra: [house],
    });
    try {
      const create = async (path: string) => {
        const { status, headers } = await platform.request(path, sendJson({ text: 'a' }));
        return [status, headers.get('location'), headers.get('content-location')];
      };
      expect(await create('/v1/named')).toEqual([201, '/v1/named/1', '/v1/named/1']);
      expect((await platform.request('/v1/log-named/1')).status).toBe(405);
      expect(await create('/v1/log-named')).toEqual([201, null, null]);
      const answer = await platform.request('/platform/documentation/House-v1?format=apidesc');
      const { paths } = (await answer.json()) as {
        paths: Record<string, { post: { responses: { 201: { headers?: object } } } }>;
      };
      const documented = (path: string) => Object.keys(paths[path]?.post.responses[201].headers ?? {});
      expect(documented('/v1/named')).toEqual(['Location', 'Content-Location']);
      expect(documented('/v1/log-named')).toEqual([]);
    } finally {
      await platform.stop();
    }
  });
});

describe('a created entity without an identifier', () => {
  it('is reported once, in development', async () => {
    expect(await warningsOf('report', 'nameless')).toEqual([
      'House-v1/Nameless collection POST returns an entity without "note_id", so its 201 response has no Location and clients cannot find the entity.',
    ]);
    expect(await warningsOf('count', 'nameless')).toEqual([]);
  });

  it('is reported if no URL can name it', async () => {
    expect(await warningsOf('report', 'unnameable')).toEqual([
      'House-v1/Unnameable collection POST returns an entity with a "note_id" that no URL can name, so its 201 response has no Location and clients cannot find the entity.',
    ]);
  });

  it('is not reported when it has one, or when the service has no fetch', async () => {
    expect(await warningsOf('report', 'named')).toEqual([]);
    expect(await warningsOf('report', 'log')).toEqual([]);
  });

  it('is not reported when toJSON of the identifier returns one, which its Location has', async () => {
    expect(await warningsOf('report', 'object')).toEqual([]);
    expect(idOfEntity({ route_identifier_name: 'id' }, { id: { toJSON: () => 'a1' } })).toBe('a1');
    expect(idOfEntity({ route_identifier_name: 'id' }, { id: { one: 1 } })).toBeUndefined();
    expect(idOfEntity({ route_identifier_name: 'id' }, { id: null })).toBeUndefined();
  });
});
