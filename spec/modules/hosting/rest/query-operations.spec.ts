import { METHODS } from 'node:http';
import {
  defineApi,
  defineRestService,
  Type,
  type CollectionContext,
  type Module,
  type RestResource,
} from '../../../../src/platform';
import type { ConfigObject } from '../../../../src/framework';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const Book = Type.Object({ book_id: Type.String(), pages: Type.Integer() });
const books = ['a', 'b', 'c', 'd', 'query'].map((book_id, at) => ({ book_id, pages: at + 1 }));

/** Pages by the position of their first book. */
type Context = CollectionContext<Readonly<Record<string, unknown>>, object, string, number>;
const shelf: RestResource<{ book_id: string; pages: number }, unknown, object, Context> = {
  fetch: (id) => books.find(({ book_id }) => book_id === id),
  fetchAll: () => books,
  queryAll: (query, { sort, cursor, page }) => {
    const least = Number(query.least ?? 0);
    const found = books.filter(({ pages }) => pages >= least);
    if (sort[0]?.descending === true) found.reverse();
    const start = cursor ?? 0;
    const end = start + page.pageSize;
    return { items: found.slice(start, end), next: end < found.length ? end : undefined };
  },
  delete: () => true,
};

const service = {
  route: '/books[/:book_id]',
  route_identifier_name: 'book_id',
  fields: Book,
  page_size: 2,
  cursor: Type.Integer(),
  unknown_members: 'drop',
  validators: [() => [{ pointer: '', message: 'is for entities' }]],
  collection: {
    GET: { sort: ['pages'] },
    QUERY: { fields: Type.Object({ least: Type.Optional(Type.Integer()) }), description: 'Finds books.' },
  },
  entity: { GET: {}, DELETE: {} },
  resource: shelf,
} as const;

const bookshop: Module = {
  name: 'bookshop',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Bookshop',
      cors: { origins: ['https://shop.example'] },
      versions: { 1: { services: { Book: defineRestService(service) } } },
    }),
  ],
};

/** The HTTP parser of Node.js 20.19.0 does not know the method. */
const isKnown = METHODS.includes('QUERY');

const send = (platform: TestPlatform, body: unknown) =>
  platform.request(isKnown ? '/books' : '/books/query', sendJson(body, isKnown ? 'QUERY' : 'POST'));

async function start(local: ConfigObject = {}): Promise<TestPlatform> {
  const modules = [...HOSTING, 'documentation', 'documentation-apidesc'];
  return startTestPlatform({ modules, extra: [bookshop], local });
}

describe('a QUERY of a collection', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start();
  });
  afterAll(() => platform.stop());
  const query = (body: unknown) => send(platform, body);
  const post = (body: unknown) => platform.request('/books/query', sendJson(body));

  it('is served as QUERY of the collection and as POST below it, with the same pages', async () => {
    const first = await query({ least: 2, sort: ['-pages'] });
    expect(first.status).toBe(200);
    expect(first.headers.get('link') ?? '').not.toContain('rel="next"');
    const page = await bodyOf(first);
    expect(page.items).toEqual([books[4], books[3]]);
    const next = await bodyOf(await post({ least: 2, sort: ['-pages'], cursor: page.next_cursor }));
    expect(next).toMatchObject({ items: [books[2], books[1]], next_cursor: null, page_size: 2 });
    expect((await bodyOf(await post({ least: 2, page_size: 4 }))).items).toHaveLength(4);
  });

  it.each([
    [{ most: 3 }, '/most'],
    [{ least: 'x' }, '/least'],
    [{ sort: ['name'] }, '/sort/0'],
    [{ sort: ['pages', '-pages'] }, '/sort/1'],
    [{ page_size: 1000 }, '/page_size'],
    [{ cursor: 'e30' }, '/cursor'],
  ])('refuses %j with 422 and the pointer %s', async (body, pointer) => {
    for (const answer of [await query(body), await post(body)]) {
      expect(answer.status).toBe(422);
      expect((await bodyOf(answer)).errors).toMatchObject([{ pointer }]);
    }
  });

  it('refuses the cursor of another query', async () => {
    const { next_cursor: cursor } = await bodyOf(await query({ least: 2 }));
    expect((await query({ least: 1, cursor })).status).toBe(422);
  });

  it('accepts the media types of JSON that the service has', async () => {
    const statusOf = async (type: string) =>
      (await platform.request('/books/query', sendJson({}, 'POST', { 'Content-Type': type }))).status;
    expect(await statusOf('application/vnd.bookshop.v1+json')).toBe(200);
    expect(await statusOf('application/hal+json')).toBe(415);
  });

  it('has its own default order for the names of the GET', async () => {
    const QUERY = { default_sort: '-pages' };
    const own = await start({
      'platform-hosting': {
        apis: { Bookshop: { versions: { 1: { services: { Book: { collection: { QUERY } } } } } } },
      },
    });
    const page = await bodyOf(await send(own, {}));
    await own.stop();
    expect(page.items).toEqual([books[4], books[3]]);
  });

  it('leaves the path of its POST to an entity of that name', async () => {
    expect(await bodyOf(await platform.request('/books/query'))).toEqual(books[4]);
    expect((await platform.request('/books/query', { method: 'DELETE' })).status).toBe(204);
    const refused = await platform.request('/books/query', { method: 'PUT' });
    expect(refused.status).toBe(405);
    expect(refused.headers.get('allow')).toBe('GET, DELETE, HEAD, POST, OPTIONS');
    expect((await platform.request('/books/a', sendJson({}))).status).toBe(405);
  });

  it('is among the allowed methods, also in preflights', async () => {
    const refused = await platform.request('/books', { method: 'PUT' });
    expect(refused.headers.get('allow')).toBe('GET, QUERY, HEAD, OPTIONS');
    for (const [path, method] of [
      ['/books', 'QUERY'],
      ['/books/query', 'POST'],
    ] as const) {
      const preflight = await platform.request(path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': method },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-methods')).toContain(method);
    }
  });

  it('is documented as a POST', async () => {
    const document = await bodyOf(
      await platform.request('/platform/documentation/Bookshop-v1?format=apidesc'),
    );
    const paths = document.paths as Record<string, Record<string, Record<string, unknown>>>;
    expect(Object.keys(paths)).toEqual(['/v1/books', '/v1/books/query', '/v1/books/{book_id}']);
    expect(Object.keys(paths['/v1/books'] ?? {})).toEqual(['get']);
    const operation = paths['/v1/books/query']?.post;
    expect(operation?.operationId).toBe('Bookshop_queryBook');
    expect(operation?.summary).toBe('Finds books');
    expect(operation?.description).toContain('`QUERY /books` with the same body');
    const page = await (
      await platform.request('/platform/documentation/Bookshop-v1/Book', { headers: { Accept: 'text/html' } })
    ).text();
    expect(page).toContain('id="POST-query"');
    expect(page).toContain('/v1/books/query');
  });
});

describe('the access rule of a QUERY', () => {
  const statuses = async (collection: ConfigObject): Promise<readonly number[]> => {
    const platform = await start({
      'platform-mvc-auth': { authorization: { Bookshop: { Book: { collection } } } },
    });
    try {
      const answers = [
        await platform.request('/books'),
        await send(platform, {}),
        await platform.request('/books/query', sendJson({})),
      ];
      return answers.map(({ status }) => status);
    } finally {
      await platform.stop();
    }
  };

  it('is that of the GET, unless it has its own', async () => {
    expect(await statuses({ GET: 'authenticated' })).toEqual([403, 403, 403]);
    expect(await statuses({ GET: 'authenticated', QUERY: 'guest' })).toEqual([403, 200, 200]);
    expect(await statuses({ QUERY: 'authenticated' })).toEqual([200, 403, 403]);
  });
});

describe('a declaration of a QUERY', () => {
  const refusal = (changes: object) =>
    startRefusal({
      modules: HOSTING,
      extra: [
        {
          name: 'bookshop',
          requires: ['hosting'],
          apis: [
            defineApi({
              name: 'Bookshop',
              versions: { 1: { services: { Book: { ...service, ...changes } } } },
            }),
          ],
        },
      ],
    });

  it('needs a method of the resource', async () => {
    expect(await refusal({ resource: { ...shelf, queryAll: undefined } })).toContain('queryAll()');
  });

  it('cannot have a default order that is not among its orders', async () => {
    const refused = (QUERY: object, GET = {}) => refusal({ collection: { GET, QUERY } });
    const message = 'default_sort is "size". Write names from "sort" (pages)';
    expect(await refused({ sort: ['pages'], default_sort: 'size' })).toContain(message);
    expect(await refused({ default_sort: 'size' }, { sort: ['pages'] })).toContain(message);
  });

  it('cannot have the members for order and paging', async () => {
    const fields = Type.Object({ cursor: Type.String() });
    expect(await refusal({ collection: { QUERY: { fields } } })).toContain('"cursor"');
  });
});
