import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

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
        1: {
          services: {
            Word: words('words'),
            Linked: words('linked', { links: () => ({}) }),
            OfShelf: { ...words('shelves/:shelf'), page_size: 25 },
          },
        },
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

describe('a parameter of the path that no URL can name', () => {
  it.each([
    ['..', false],
    ['%2e', false],
    ['...', true],
  ])('%s: Location and links are sent: %p', async (shelf, areSent) => {
    const platform = await startTestPlatform({ modules: [...HOSTING, 'hal'], extra: [dictionary] });
    const send = (method: string, fields: readonly string[], body = '') => {
      const head = [
        `${method} /shelves/${shelf} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        ...fields,
      ];
      return sendRaw(platform.origin, `${head.join('\r\n')}\r\n\r\n${body}`);
    };
    const json = ['Content-Type: application/json', 'Content-Length: 10'];
    const made = await send('POST', json, '{"id":"a"}');
    expect([made.status, made.text.includes(`Location: /shelves/${shelf}/a\r\n`)]).toEqual([201, areSent]);
    expect(made.text.includes('Location')).toBe(areSent);
    const list = await send('GET', ['Accept: application/hal+json']);
    expect(list.text.includes(`"href":"/shelves/${shelf}/a"`)).toBe(areSent);
    expect(list.text.includes('rel="first"')).toBe(areSent);
    expect(list.text).toContain('"id":"a"');
    await platform.stop();
  });
});
