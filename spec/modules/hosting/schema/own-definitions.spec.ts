import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

/** As generators write it: the definitions are next to the members that refer to them. */
const fields = Type.Object(
  { id: Type.String(), place: Type.Optional(Type.Unsafe<{ row?: number }>({ $ref: '#/$defs/Place' })) },
  {
    $defs: {
      Place: { type: 'object', properties: { row: { type: 'integer' } }, additionalProperties: false },
    },
  },
);

const shelf = [{ id: '1', place: { row: 2 } }];

const service = (route: string, paged: object) =>
  defineRestService({
    route: `/${route}[/:id]`,
    route_identifier_name: 'id',
    fields,
    resource: {
      fetchAll: () => shelf,
      fetch: () => shelf[0],
      replaceList: (list) => list,
      patchList: () => shelf,
    },
    collection: { GET: {}, PUT: {}, PATCH: {} },
    entity: { GET: {} },
    ...paged,
  });

const module_: Module = {
  name: 'shelves',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Shelves',
      versions: {
        1: {
          services: {
            Whole: service('whole', {}),
            Paged: service('paged', { page_size: 5 }),
            Following: service('following', { page_size: 5, cursor: Type.Integer() }),
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
    extra: [module_],
    local: { 'platform-hosting': { check_responses: 'report' } },
  });
});
afterAll(() => platform.stop());

describe.each(['whole', 'paged', 'following'])(
  'an entity that refers to its own $defs, in a collection: %s',
  (route) => {
    it('is returned and validated against its schema', async () => {
      const answer = await platform.request(`/${route}`);
      expect([answer.status, JSON.stringify(await answer.json())]).toEqual([
        200,
        expect.stringContaining('"row":2'),
      ]);
      expect(platform.log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
    });

    it.each(['PUT', 'PATCH'])('is validated in a list: %s', async (method) => {
      const send = (row: unknown) =>
        platform.request(`/${route}`, sendJson([{ id: '1', place: { row } }], method));
      expect((await send(3)).status).toBe(200);
      const refused = await send('third');
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('"pointer":"/0/place/row"');
    });
  },
);

describe('the documentation of an entity that refers to its own $defs', () => {
  it('has no dangling references', async () => {
    const answer = await platform.request('/platform/documentation/Shelves?format=apidesc');
    const document = JSON.parse(await answer.text()) as Record<string, unknown>;
    const text = JSON.stringify(document);
    for (const [, pointer = ''] of text.matchAll(/"\$ref":"#([^"]*)"/g)) {
      const found = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect([pointer, typeof found]).toEqual([pointer, 'object']);
    }
    expect(text).not.toContain('$defs');
  });
});
