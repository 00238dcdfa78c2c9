import fc from 'fast-check';
import { comparing, defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

interface Star {
  readonly star_id: number;
  readonly name: string;
  readonly brightness?: number;
}
let stars: Star[] = [];

const fields = Type.Object({
  star_id: Type.Integer(),
  name: Type.String(),
  brightness: Type.Optional(Type.Number()),
});

const Star = defineRestService({
  route: '/stars[/:star_id]',
  route_identifier_name: 'star_id',
  fields,
  collection_name: 'stars',
  page_size: 3,
  max_page_size: 10,
  cursor: Type.Object({ from: Type.Integer({ minimum: 0 }), back: Type.Optional(Type.Boolean()) }),
  collection: {
    GET: {
      sort: ['name', 'brightness', 'star_id'],
      default_sort: 'star_id',
      query: Type.Object({ like: Type.Optional(Type.String()) }),
    },
  },
  entity: {},
  resource: {
    fetchAll: ({ sort, cursor, page, query }) => {
      const all = stars
        .filter(({ name }) => name.includes(query.like ?? ''))
        .sort(comparing([...sort, { name: 'star_id', descending: false }]));
      const from = cursor?.from ?? 0;
      const to = from + page.pageSize;
      return {
        items: all.slice(from, to),
        next: to < all.length ? { from: to } : undefined,
        previous: from > 0 ? { from: Math.max(0, from - page.pageSize) } : undefined,
      };
    },
  },
});

const Plain = defineRestService({
  route: '/plain[/:star_id]',
  route_identifier_name: 'star_id',
  fields,
  unknown_query: 'ignore',
  collection: { GET: { query: Type.Object({ n: Type.Optional(Type.Integer()) }) } },
  resource: { fetchAll: ({ query }) => [{ star_id: query.n ?? 0, name: Object.keys(query).join() }] },
});

const sky: Module = {
  name: 'sky',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Sky', versions: { 1: { services: { Star, Plain } } } })],
};

let platform: TestPlatform;
beforeAll(async () => {
  const modules = [...HOSTING, 'documentation', 'documentation-apidesc'];
  platform = await startTestPlatform({ modules, extra: [sky] });
});
afterAll(() => platform.stop());

const starsIn = (body: Record<string, unknown>) => body.stars as readonly Star[];
const linkOf = (answer: Response, rel: string) =>
  new RegExp(`<([^>]*)>; rel="${rel}"`).exec(answer.headers.get('link') ?? '')?.[1];

describe('a collection with cursor pagination', () => {
  beforeEach(() => {
    stars = ['Deneb', 'Vega', 'Altair', 'Sirius', 'Rigel'].map((name, star_id) => ({ star_id, name }));
  });

  it('returns the next cursor in its body and as links', async () => {
    const answer = await platform.request('/v1/stars?sort=name&page_size=2');
    const body = await bodyOf(answer);
    expect(body).toEqual({
      stars: [expect.objectContaining({ name: 'Altair' }), expect.objectContaining({ name: 'Deneb' })],
      page_size: 2,
      next_cursor: expect.stringMatching(/^[\w-]+$/) as unknown,
      previous_cursor: null,
    });
    expect(linkOf(answer, 'first')).toBe('/v1/stars?sort=name&page_size=2');
    expect(linkOf(answer, 'next')).toBe(`/v1/stars?sort=name&page_size=2&cursor=${String(body.next_cursor)}`);
    expect(linkOf(answer, 'prev')).toBeUndefined();
    const second = await platform.request(linkOf(answer, 'next') ?? '');
    expect(starsIn(await bodyOf(second)).map(({ name }) => name)).toEqual(['Rigel', 'Sirius']);
    const back = await platform.request(linkOf(second, 'prev') ?? '');
    expect(await back.json()).toEqual(body);
    expect(linkOf(second, 'first')).toBe('/v1/stars?sort=name&page_size=2');
  });

  it('is traversed by its links, with every entity once, whatever the order, page size and filter', async () => {
    const star = fc.record(
      { name: fc.string({ maxLength: 3 }), brightness: fc.integer({ min: -2, max: 2 }) },
      { requiredKeys: ['name'] },
    );
    const order = fc
      .subarray(['name', 'brightness', 'star_id'], { minLength: 1 })
      .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`))))
      .map((keys) => keys.join(','));
    await fc.assert(
      fc.asyncProperty(
        fc.array(star, { maxLength: 12 }),
        order,
        fc.integer({ min: 1, max: 10 }),
        fc.string({ maxLength: 1 }),
        async (made, sort, size, like) => {
          stars = made.map((one, star_id) => ({ ...one, star_id }));
          const query = new URLSearchParams({ sort, page_size: String(size), like });
          const seen: number[] = [];
          for (let next: string | undefined = `/stars?${query.toString()}`; next !== undefined;) {
            const answer = await platform.request(next);
            expect(answer.status).toBe(200);
            seen.push(...starsIn(await bodyOf(answer)).map(({ star_id }) => star_id));
            next = linkOf(answer, 'next');
          }
          const expected = stars.filter(({ name }) => name.includes(like)).map(({ star_id }) => star_id);
          expect([...seen].sort((a, b) => a - b)).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each([
    ['invented', () => 'xyz'],
    [
      'of another type',
      (cursor: string) => Buffer.from('["x",{"from":-1}]').toString('base64url') + cursor.slice(0, 0),
    ],
    ['with a value that the schema rejects', (cursor: string) => withValue(cursor, { from: -1 })],
    ['empty', () => ''],
  ])('rejects a cursor that is %s', async (_, change) => {
    const { next_cursor: cursor } = await bodyOf(await platform.request('/stars'));
    const answer = await platform.request(`/stars?cursor=${change(String(cursor))}`);
    expect(answer.status).toBe(400);
    expect((await bodyOf(answer)).errors).toEqual([expect.objectContaining({ parameter: 'cursor' })]);
  });

  it('rejects the cursor of another query, but accepts another page size', async () => {
    const { next_cursor: cursor } = await bodyOf(await platform.request('/stars?sort=name'));
    expect((await platform.request(`/stars?sort=-name&cursor=${String(cursor)}`)).status).toBe(400);
    expect((await platform.request(`/stars?page_size=1&sort=name&cursor=${String(cursor)}`)).status).toBe(
      200,
    );
  });

  it('has no page numbers', async () => {
    expect((await platform.request('/stars?page=1')).status).toBe(400);
  });

  it('is documented', async () => {
    const document = await bodyOf(await platform.request('/platform/documentation/Sky-v1?format=apidesc'));
    expect(document.paths).toMatchObject({
      '/v1/stars': {
        get: { parameters: [{ name: 'like' }, { name: 'sort' }, { name: 'cursor' }, { name: 'page_size' }] },
      },
    });
    expect(JSON.stringify(document)).toContain('next_cursor');
  });

  it('requires a page size', async () => {
    const broken: Module = {
      name: 'broken',
      requires: ['hosting'],
      apis: [
        defineApi({
          name: 'Broken',
          versions: {
            1: {
              services: {
                Thing: {
                  route: '/things[/:id]',
                  route_identifier_name: 'id',
                  fields,
                  cursor: Type.String(),
                  resource: {},
                },
              },
            },
          },
        }),
      ],
    };
    expect(await startRefusal({ modules: HOSTING, extra: [broken] })).toBe(
      'The service Thing of Broken-v1 has a cursor but no page_size.',
    );
  });
});

describe('the order of a collection', () => {
  beforeEach(() => {
    stars = [
      { star_id: 1, name: 'b', brightness: 10 },
      { star_id: 2, name: 'a', brightness: 9 },
      { star_id: 3, name: 'b' },
    ];
  });
  const order = async (sort: string) =>
    starsIn(await bodyOf(await platform.request(`/stars${sort}`))).map(({ star_id }) => star_id);

  it.each([
    ['', [1, 2, 3]],
    ['?sort=name', [2, 1, 3]],
    ['?sort=-name,-star_id', [3, 1, 2]],
    ['?sort=brightness', [2, 1, 3]],
    ['?sort=-brightness', [1, 2, 3]],
  ])('follows %s', async (sort, expected) => {
    expect(await order(sort)).toEqual(expected);
  });

  it.each(['size', 'name,size', 'name,name', 'name,-name', '', ',', '--name', 'name,', 'constructor'])(
    'cannot be "%s"',
    async (sort) => {
      const answer = await platform.request(`/stars?sort=${sort}&page_size=0`);
      expect(answer.status).toBe(400);
      expect((await bodyOf(answer)).errors).toEqual([
        {
          parameter: 'sort',
          message: expect.stringMatching(
            /^must be a comma-separated list of: .*name.*brightness.*; each at most once/,
          ) as unknown,
        },
        expect.objectContaining({ parameter: 'page_size' }),
      ]);
    },
  );
});

describe('undeclared query parameters', () => {
  it('are ignored when the service says so; declared ones are not', async () => {
    const answer = await platform.request('/plain?utm_source=mail&n=4');
    expect(await answer.json()).toEqual([{ star_id: 4, name: 'n' }]);
    expect((await platform.request('/plain?n=x')).status).toBe(400);
  });
});

function withValue(cursor: string, value: unknown): string {
  const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string];
  return Buffer.from(JSON.stringify([mark, value])).toString('base64url');
}
