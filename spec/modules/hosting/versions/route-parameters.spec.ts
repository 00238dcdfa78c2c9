import {
  comparing,
  defineApi,
  defineRestService,
  Type,
  type CollectionContext,
  type CursorPage,
  type MergePatch,
  type Module,
  type RestResource,
  type RouteParameters,
  type Static,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const fields = Type.Object({ book_id: Type.Integer(), author: Type.String(), title: Type.String() });
const books: { book_id: number; author: string; title: string }[] = [];

const Book = defineRestService({
  route: '/authors/:author_id/books[/:book_id]',
  route_identifier_name: 'book_id',
  parameters: { author_id: Type.String({ description: 'Who wrote it.' }) },
  fields,
  input: Type.Pick(fields, ['title']),
  page_size: 1,
  collection: { GET: { query: Type.Object({ title: Type.Optional(Type.String()) }) }, POST: {} },
  entity: { GET: {} },
  resource: {
    // The types are inferred from the declaration: there are no annotations here.
    fetchAll: ({ parameters, query }) =>
      books.filter(
        ({ author, title }) => author === parameters.author_id && title.includes(query.title?.trim() ?? ''),
      ),
    fetch: (id, { parameters }) =>
      books.find(({ author, book_id }) => author === parameters.author_id && book_id === Number(id)),
    create: ({ title }, { parameters }) => {
      const book = { book_id: books.length, author: parameters.author_id, title };
      books.push(book);
      return book;
    },
  },
});

const library: Module = {
  name: 'library',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Library', versions: { 1: { services: { Book } } } })],
};

describe('a nested service', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const modules = [...HOSTING, 'documentation', 'documentation-apidesc'];
    platform = await startTestPlatform({ modules, extra: [library] });
  });
  afterAll(() => platform.stop());
  beforeEach(() => books.splice(0));

  it.each([
    ['austen', 'austen'],
    ['Čapek / Karel', '%C4%8Capek%20%2F%20Karel'],
    ['0', '0'],
    ['a+b&c=d', 'a%2Bb%26c%3Dd'],
  ])('has the parameters of %s in Location, and finds the entity there', async (author, encoded) => {
    const made = await platform.request(`/v1/authors/${encoded}/books`, sendJson({ title: 'One' }));
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`/v1/authors/${encodeURIComponent(author)}/books/0`);
    const found = await platform.request(made.headers.get('location') ?? '');
    expect(await found.json()).toEqual({ book_id: 0, author, title: 'One' });
  });

  it('has them in the links of its pages', async () => {
    for (const title of ['One', 'Two']) {
      await platform.request('/authors/%C4%8Capek/books', sendJson({ title }));
    }
    const answer = await platform.request('/authors/%C4%8Capek/books?title=o');
    expect(answer.headers.get('link')).toContain('</authors/%C4%8Capek/books?title=o>; rel="first"');
    const all = await platform.request('/authors/%C4%8Capek/books');
    const next = /<([^>]*)>; rel="next"/.exec(all.headers.get('link') ?? '')?.[1] ?? '';
    expect((await bodyOf(await platform.request(next))).items).toEqual([
      { book_id: 1, author: 'Čapek', title: 'Two' },
    ]);
  });

  it('keeps the entities of different parents apart', async () => {
    await platform.request('/authors/austen/books', sendJson({ title: 'Emma' }));
    expect((await platform.request('/authors/shelley/books/0')).status).toBe(404);
    expect((await platform.request('/authors//books')).status).toBe(404);
  });

  it('is documented with every parameter', async () => {
    const document = await bodyOf(
      await platform.request('/platform/documentation/Library-v1?format=apidesc'),
    );
    expect(document.paths).toMatchObject({
      '/v1/authors/{author_id}/books': {
        get: { parameters: [{ name: 'author_id', in: 'path', description: 'Who wrote it.' }, {}, {}, {}] },
      },
      '/v1/authors/{author_id}/books/{book_id}': {
        get: {
          parameters: [
            { name: 'author_id', in: 'path' },
            { name: 'book_id', in: 'path' },
          ],
        },
      },
    });
  });
});

describe("the types of a route's parameters", () => {
  it('are inferred from its text: parameters in brackets are optional', () => {
    const needed: RouteParameters<'/a/:author_id/b(\\d+)[/:book_id[.:format]]'> = { author_id: 'x' };
    const all: RouteParameters<'/a/:author_id-:part(\\d+)[/:book_id]'> = {
      author_id: 'x',
      part: '1',
      book_id: 'y',
    };
    // @ts-expect-error -- author_id is needed
    const missing: RouteParameters<'/a/:author_id[/:book_id]'> = { book_id: 'y' };
    // @ts-expect-error -- there is no such parameter
    const unknown: RouteParameters<'/a/:author_id'> = { author_id: 'x', other: 'y' };
    const any: RouteParameters<string> = { whatever: 'x' };
    expect([needed, all, missing, unknown, any]).toHaveLength(5);
  });

  it('are those of the handlers', () => {
    defineRestService({
      route: '/authors/:author_id/books[/:book_id]',
      route_identifier_name: 'book_id',
      fields,
      collection: { GET: { sort: ['title'], query: Type.Object({ n: Type.Integer() }) } },
      resource: {
        fetchAll: ({ parameters, sort, query }) => {
          const [first] = sort;
          const name: 'title' | undefined = first?.name;
          const n: number = query.n;
          // @ts-expect-error -- the route has no such parameter
          const other: unknown = parameters.other;
          return [{ book_id: n, author: String(other), title: name ?? '' }];
        },
        // @ts-expect-error -- an entity has more than that
        fetch: () => ({ book_id: 1 }),
      },
    });
    expect(fields.required).toContain('book_id');
  });

  it('may be declared by a separate class', () => {
    type Book = Static<typeof fields>;
    type Input = Pick<Book, 'title'>;
    type List = CollectionContext<{ like?: string }, { author_id: string }, 'title', { from: number }>;
    class Books implements RestResource<Book, Input, { author_id: string }, List> {
      fetchAll({ parameters, cursor, query, sort }: List): CursorPage<Book, { from: number }> {
        const book = { book_id: cursor?.from ?? 0, author: parameters.author_id, title: query.like ?? '' };
        return { items: [book].sort(comparing(sort)), next: { from: 1 } };
      }
      patch(id: string, { title }: MergePatch<Input>): Book {
        // Required members are never removed: no null here.
        const changed: string | undefined = title;
        return { book_id: Number(id), author: '', title: changed ?? '' };
      }
      revision({ book_id }: Book): number {
        return book_id;
      }
    }
    const declared = defineRestService({
      route: '/authors/:author_id/books[/:book_id]',
      route_identifier_name: 'book_id',
      fields,
      input: Type.Pick(fields, ['title']),
      page_size: 1,
      cursor: Type.Object({ from: Type.Integer() }),
      collection: { GET: { sort: ['title'], query: Type.Object({ like: Type.Optional(Type.String()) }) } },
      entity: { PATCH: {} },
      resource: Books,
    });
    expect(declared.resource).toBe(Books);
  });
});
