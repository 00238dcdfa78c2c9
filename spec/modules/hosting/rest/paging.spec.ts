import fc from 'fast-check';
import { withExactPages } from '../../../../src/modules/hosting/rest/page-errors';
import { linkField, pageNumberLinks } from '../../../../src/modules/hosting/rest/page-links';
import { pageCount, pageOf, pagingOf } from '../../../../src/modules/hosting/rest/paging';
import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { ShopModule } from '../../../fixtures/shop/shop-module';

const letters: Module = {
  name: 'letters',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Letters',
      versions: {
        1: {
          services: {
            Letter: defineRestService({
              route: '/letters[/:letter]',
              route_identifier_name: 'letter',
              fields: Type.Object({ letter: Type.String() }),
              page_size: 2,
              collection: { GET: { query: Type.Object({ kind: Type.Optional(Type.String()) }) } },
              // All of them, although the service is paged.
              resource: { fetchAll: () => ['a', 'b', 'c'].map((letter) => ({ letter })) },
            }),
          },
        },
      },
    }),
  ],
};

describe('a paged collection', () => {
  const shop = new ShopModule();
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ modules: HOSTING, extra: [shop, letters] });
    for (const id of ['a', 'b', 'c', 'd', 'e']) shop.products.create({ product_id: id, title: id });
  });
  afterAll(() => platform.stop());

  const idsOf = (body: Record<string, unknown>) =>
    Array.isArray(body.products) ? body.products.map((one: { product_id: string }) => one.product_id) : [];

  it('starts with the first page and returns its position', async () => {
    const answer = await platform.request('/v1/shop/products');
    const body = await bodyOf(answer);
    expect(idsOf(body)).toEqual(['a', 'b']);
    expect(body).toMatchObject({ page: 1, page_size: 2, page_count: 3, total_items: 5 });
    expect(answer.headers.get('link')).toBe(
      '</v1/shop/products>; rel="first", </v1/shop/products?page=2>; rel="next", ' +
        '</v1/shop/products?page=3>; rel="last"',
    );
  });

  it('links to the pages around a middle page, with the rest of the query', async () => {
    const answer = await platform.request('/shop/products?page_size=1&page=3');
    expect(idsOf(await bodyOf(answer))).toEqual(['c']);
    expect(answer.headers.get('link')).toBe(
      ['first', 'prev 2', 'next 4', 'last 5']
        .map((link) => link.split(' '))
        .map(
          ([rel = '', page]) =>
            `</shop/products?page_size=1${page === undefined ? '' : `&page=${page}`}>; rel="${rel}"`,
        )
        .join(', '),
    );
  });

  it('is traversed from the first to the last page by its links', async () => {
    const seen: string[] = [];
    for (let next: string | undefined = '/shop/products'; next !== undefined;) {
      const answer = await platform.request(next);
      seen.push(...idsOf(await bodyOf(answer)));
      next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('has no page after the last', async () => {
    const answer = await platform.request('/shop/products?page=4');
    expect(answer.status).toBe(409);
    expect(await bodyOf(answer)).toMatchObject({ detail: 'Page 4 does not exist. The last page is 3.' });
  });

  it.each([
    ['page_size=0', 'page_size'],
    ['page_size=many', 'page_size'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=two', 'page'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['page=%20', 'page'],
    ['page=%201', 'page'],
    ['page=1%20', 'page'],
    ['page=%2B1', 'page'],
    ['page=+1', 'page'],
    ['page=1e0', 'page'],
    ['page=1.0', 'page'],
    ['page=0x1', 'page'],
    ['page=%D9%A1', 'page'],
    ['page=9007199254740993', 'page'],
    ['page=1e400', 'page'],
    ['page_size=%20', 'page_size'],
    ['page_size=1e0', 'page_size'],
    ['page_size=%2B1', 'page_size'],
    ['page_size=0x1', 'page_size'],
  ])('rejects ?%s and names the parameter', async (query, parameter) => {
    const answer = await platform.request(`/shop/products?${query}`);
    expect(answer.status).toBe(400);
    expect(await bodyOf(answer)).toMatchObject({
      detail: `${parameter} must be an integer of at least 1.`,
      errors: [{ parameter }],
    });
  });

  it('says that a page is too far, or given twice', async () => {
    const far = await platform.request('/shop/products?page=9007199254740991');
    expect([far.status, (await bodyOf(far)).detail]).toEqual([400, 'page is too large.']);
    const twice = await platform.request('/shop/products?page=1&page=2');
    expect([twice.status, await bodyOf(twice)]).toMatchObject([
      400,
      {
        detail: 'Invalid query parameters: page.',
        errors: [{ parameter: 'page', message: 'is given twice, but has a single value' }],
      },
    ]);
  });

  it('names its limit when the client asks for more', async () => {
    const answer = await platform.request('/shop/products?page_size=6');
    expect(answer.status).toBe(400);
    expect(await bodyOf(answer)).toMatchObject({
      detail: 'page_size must not exceed 5.',
      errors: [{ parameter: 'page_size', message: 'must be <= 5' }],
    });
  });

  it('reports paging errors together with the others', async () => {
    const answer = await platform.request('/shop/products?page_size=6&page=0&colour=red');
    expect(answer.status).toBe(400);
    const { detail, errors } = await bodyOf(answer);
    expect(detail).toMatch(/^Invalid query parameters: /);
    expect(errors).toHaveLength(3);
  });

  it('has one empty page when there are no entities', async () => {
    const empty = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()] });
    try {
      const answer = await empty.request('/shop/products');
      expect(await answer.json()).toEqual({
        products: [],
        page: 1,
        page_size: 2,
        page_count: 1,
        total_items: 0,
      });
    } finally {
      await empty.stop();
    }
  });

  it('is sliced into pages when its resource returns everything', async () => {
    const answer = await platform.request('/letters?page=2');
    expect(await answer.json()).toEqual({
      items: [{ letter: 'c' }],
      page: 2,
      page_size: 2,
      page_count: 2,
      total_items: 3,
    });
  });

  it('keeps the other query parameters in the links, encoded', async () => {
    const answer = await platform.request('/letters?kind=a%26b%3E');
    expect(answer.headers.get('link')).toContain('</letters?kind=a%26b%3E&page=2>; rel="next"');
  });
});

describe('an unpaged collection', () => {
  it('is a plain list without paging parameters', async () => {
    const platform = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()] });
    try {
      const answer = await platform.request('/shop/shelves');
      expect(await answer.json()).toEqual([{ shelf: 'left' }, { shelf: 'right' }]);
      expect(answer.headers.get('link')).toBeNull();
      expect((await platform.request('/shop/shelves?page=1')).status).toBe(400);
    } finally {
      await platform.stop();
    }
  });
});

describe('page calculations', () => {
  const paging = pagingOf({ page_size: 10 }, 'Shop');

  it('allow 100 entities per page by default, and at least the default page size', () => {
    expect(paging).toEqual({ size: 10, maximum: 100, byCursor: false });
    expect(pagingOf({ page_size: 500 }, 'Shop')).toEqual({ size: 500, maximum: 500, byCursor: false });
    expect(pagingOf({}, 'Shop')).toBeUndefined();
  });

  it.each([
    [{ page_size: 0 }, 'Shop: page_size is 0. Write the number of entities per page, an integer from 1.'],
    [{ page_size: 2.5 }, 'Shop: page_size is 2.5. Write the number of entities per page, an integer from 1.'],
    [{ page_size: 5, max_page_size: NaN }, 'Shop: max_page_size is NaN.'],
    [
      { page_size: 50, max_page_size: 5 },
      'Shop: max_page_size is 5, less than the page_size of 50. Write 50 or more.',
    ],
  ])('do not accept %j', (definition, message) => {
    expect(() => pagingOf(definition, 'Shop')).toThrow(message);
  });

  it('put every entity on exactly one page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 40 }), (total, page_size) => {
        const pages = pageCount(total, pageOf({ page_size }, paging));
        const seen = Array.from({ length: pages }, (_, at) => pageOf({ page: at + 1, page_size }, paging))
          .map(({ offset, pageSize }) =>
            Array.from({ length: total }, (_, n) => n).slice(offset, offset + pageSize),
          )
          .flat();
        expect(seen).toHaveLength(total);
        expect(new Set(seen).size).toBe(total);
      }),
    );
  });

  it('create links to the page they name, whatever the query contains', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), fc.integer({ min: 1, max: 9 }), (query, page) => {
        const links = linkField(
          pageNumberLinks('/x', String(new URLSearchParams({ ...query, page: String(page) })), page, 9),
        );
        const next = /<([^>]*)>; rel="last"/.exec(links)?.[1] ?? '';
        const target = new URL(next, 'http://localhost').searchParams;
        expect(target.getAll('page')).toEqual(['9']);
        for (const [name, value] of new URLSearchParams(query)) {
          if (name !== 'page') expect(target.get(name)).toBe(value);
        }
      }),
    );
  });
});

describe('a query reader of pages', () => {
  const readNumbers = (query: string): Record<string, unknown> =>
    Object.fromEntries([...new URLSearchParams(query)].map(([name, text]) => [name, Number(text)]));
  const maximum = 100;
  const last = Math.floor(Number.MAX_SAFE_INTEGER / maximum);
  const read = (byCursor: boolean): ReturnType<typeof withExactPages> =>
    withExactPages(readNumbers, { size: 25, maximum, byCursor });

  it('leaves pages to the validator whose offset is not exact', () => {
    expect(read(false)(`page=${last}`)).toEqual({ page: last });
    expect(read(false)(`page=${last + 1}`)).toBeUndefined();
    expect(read(false)(`page_size=${last + 1}`)).toBeUndefined();
    expect(read(true)(`page_size=${last + 1}`)).toBeUndefined();
  });

  it('gives a parameter "page" of a service with cursors no special meaning', () => {
    expect(read(true)(`page=${last + 1}`)).toEqual({ page: last + 1 });
  });

  it('leaves to the validator what the reader leaves to it', () => {
    expect(withExactPages(() => undefined, { size: 25, maximum, byCursor: false })('page=1')).toBeUndefined();
  });
});
