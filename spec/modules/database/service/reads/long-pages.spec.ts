import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

const MIB = 1024 * 1024;
const ROWS = 40;

/** A large maker that many products refer to, products with long texts, and one with many notes. */
const script = (repeat: (length: number) => string): string => `
  CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE products (id INTEGER PRIMARY KEY, text TEXT, maker_id INTEGER REFERENCES makers (id));
  CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, product_id INTEGER REFERENCES products (id));
  CREATE INDEX products_by_maker ON products (maker_id);
  CREATE INDEX notes_by_product ON notes (product_id);
  INSERT INTO makers VALUES (1, ${repeat(MIB / 2)});
  ${Array.from({ length: ROWS }, (_, at) => `INSERT INTO products VALUES (${at + 1}, ${repeat(at < 20 ? 10 : MIB / 2)}, ${at < 20 ? 1 : 'NULL'})`).join(';')};
  ${Array.from({ length: 5 }, (_, at) => `INSERT INTO notes VALUES (${at + 1}, ${repeat(MIB / 2)}, 1)`).join(';')};`;

const products = {
  table_name: 'products',
  page_size: 100,
  collection_name: 'products',
  columns: { id: {}, text: {}, maker_id: { embed: { columns: ['id', 'name'] } } },
  embeds: { notes: { table_name: 'notes', columns: ['text'] } },
  filters: { id: ['lte'] },
  entity: { GET: {} },
};

onEachDatabase(({ it, start, dialect }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: script((length) =>
        dialect === 'sqlite' ? `printf('%.*c', ${length}, 'x')` : `repeat('x', ${length})`,
      ),
      services: {
        Product: {
          ...products,
          route: '/products[/:id]',
          collection: { GET: { sort: ['id', 'text'], stream: ['application/x-ndjson'] } },
        },
        Numbered: {
          ...products,
          route: '/numbered[/:id]',
          paging: 'page',
          collection: { GET: { sort: ['id', 'text'] } },
        },
      },
    });
  }, 60_000);

  const get = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const response = await platform.request(path);
    return { status: response.status, body: await bodyOf(response) };
  };

  /** The identifiers on each page of a list. */
  const pagesOf = async (list: string): Promise<readonly (readonly unknown[])[]> => {
    const pages: unknown[][] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await get(`${list}${cursor}`);
      expect(status).toBe(200);
      expect(JSON.stringify(body).length).toBeLessThan(5 * MIB);
      pages.push((body.products as { id: unknown }[]).map(({ id }) => id));
      if (typeof body.next_cursor !== 'string') return pages;
      cursor = `&cursor=${body.next_cursor}`;
    }
  };

  it('a page ends earlier where its entities have long values, and the next one continues', async () => {
    for (const sort of ['id', '-id']) {
      const pages = await pagesOf(`/products?sort=${sort}`);
      const ids = Array.from({ length: ROWS }, (_, at) => at + 1);
      expect(pages.flat()).toEqual(sort === 'id' ? ids : ids.reverse());
      expect(pages.length).toBeGreaterThan(2);
      expect(Math.max(...pages.slice(0, 2).map(({ length }) => length))).toBeGreaterThan(7);
    }
  });

  it('what a page is sorted by counts, also if it is not among the members', async () => {
    for (const query of ['fields=id&sort=text,id', 'fields=id&sort=-text,id&embed=maker']) {
      const pages = await pagesOf(`/products?${query}`);
      expect(pages.flat()).toHaveLength(ROWS);
      expect(new Set(pages.flat()).size).toBe(ROWS);
    }
    const numbered = await get('/numbered?page_size=40&fields=id&sort=text&embed=maker');
    expect(numbered.status).toBe(400);
  });

  it('so does a page before another one', async () => {
    const second = await get(
      '/products?sort=-id&cursor=' + String((await get('/products?sort=-id')).body.next_cursor),
    );
    const first = await get(`/products?sort=-id&cursor=${String(second.body.previous_cursor)}`);
    const idsOf = ({ body }: typeof first): unknown[] =>
      (body.products as { id: unknown }[]).map(({ id }) => id);
    expect([idsOf(first), idsOf(second)].flat()).toEqual(Array.from({ length: 16 }, (_, at) => ROWS - at));
    expect(first.body.previous_cursor).toBeNull();
  });

  it('what many entities of a page embed counts as often', async () => {
    const pages = await pagesOf('/products?id.lte=20&embed=maker&fields=id');
    expect(pages.map(({ length }) => length)).toEqual([7, 7, 6]);
  });

  it('a numbered page with long values is refused, and says what to do', async () => {
    const { status, body } = await get('/numbered?page_size=40');
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          parameter: 'page_size',
          message:
            'is too large for these entities, which have more than 4 MiB: use a smaller one, or select fewer members with fields',
        },
      ],
    ]);
    expect((await get('/numbered?page_size=5&page=5')).status).toBe(200);
    expect((await get('/numbered?page_size=40&fields=id')).status).toBe(200);
  });

  it('a list of more than 2 MiB is not embedded', async () => {
    const errors = [
      {
        parameter: 'embed',
        message:
          'cannot include notes here, which has more than 2 MiB for one of the entities: request it separately',
      },
    ];
    expect(await get('/products/1?embed=notes')).toMatchObject({ status: 400, body: { errors } });
    expect(await get('/products?embed=notes')).toMatchObject({ status: 400, body: { errors } });
    expect(await get('/products/2?embed=notes')).toMatchObject({ status: 200, body: { notes: [] } });
  });

  it('the errors of a query in the body are about its members', async () => {
    const failure = async (path: string, body: object, accept = 'application/json') => {
      const response = await platform.request(path, sendJson(body, 'POST', { Accept: accept }));
      return { status: response.status, body: await bodyOf(response) };
    };
    const refused = (pointer: string) => ({ status: 422, body: { errors: [{ pointer, keyword: 'query' }] } });
    const embedded = { embed: ['notes'], filter: { id: { lte: 5 } } };
    expect(await failure('/products/query', embedded)).toMatchObject(refused('/embed'));
    expect(await failure('/products/query', embedded, 'application/x-ndjson')).toMatchObject(
      refused('/embed'),
    );
    expect(await failure('/numbered/query', { page_size: 40 })).toMatchObject(refused('/page_size'));
  });

  it('a stream has them all', async () => {
    const response = await platform.request('/products?embed=maker', {
      headers: { Accept: 'application/x-ndjson' },
    });
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(
      Array.from({ length: ROWS }, (_, at) => at + 1),
    );
  });
});
