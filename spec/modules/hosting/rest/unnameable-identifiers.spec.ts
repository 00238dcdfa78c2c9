import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/requests';
import { HOSTING } from '../../../factories/start-refusal';

const fields = Type.Object({ id: Type.String() });

/** A service that stores what clients send, and lists it. */
const words = (route: string, others: object = {}) => {
  const stored = new Map<string, { id: string }>();
  return defineRestService({
    route: `/${route}[/:id]`,
    route_identifier_name: 'id',
    fields,
    selector: 'HalJson',
    accept: ['application/json', 'application/hal+json'],
    collection: { GET: {}, POST: {} },
    entity: { GET: {} },
    resource: {
      fetchAll: () => [...stored.values()],
      fetch: (id) => stored.get(id),
      create: (data) => {
        stored.set(data.id, data);
        return data;
      },
      ...others,
    },
  });
};

const dictionary: Module = {
  name: 'dictionary',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Dictionary',
      versions: {
        1: { services: { Word: words('words'), Linked: words('linked', { links: () => ({}) }) } },
      },
    }),
  ],
};

describe.each(['words', 'linked'])('an identifier that no URL can name, among %s', (route) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ modules: [...HOSTING, 'hal'], extra: [dictionary] });
  });
  afterAll(() => platform.stop());

  const hal = { headers: { Accept: 'application/hal+json' } };

  it.each(['\ud800', 'a\udc00b', '', '.', '..'])('%j has no Location, and no link', async (id) => {
    const made = await platform.request(`/${route}`, sendJson({ id }));
    expect([made.status, made.headers.get('location')]).toEqual([201, null]);
    const list = await platform.request(`/${route}`, hal);
    expect(list.status).toBe(200);
    const { _embedded: embedded } = (await bodyOf(list)) as {
      _embedded: { items: Record<string, unknown>[] };
    };
    expect(embedded.items.at(-1)).toEqual({ id });
  });

  it('leaves the others their links', async () => {
    const made = await platform.request(`/${route}`, sendJson({ id: '...' }));
    expect([made.status, made.headers.get('location')]).toEqual([201, `/${route}/...`]);
    const list = (await bodyOf(await platform.request(`/${route}`, hal))) as {
      _embedded: { items: readonly unknown[] };
    };
    expect(list._embedded.items.at(-1)).toEqual({
      _links: { self: { href: `/${route}/...` } },
      id: '...',
    });
  });
});
