import { onEachDatabase } from '../../../factories/database/table-databases';
import { bodyOf, sendJson } from '../../../factories/http/requests';

const EXACT = ['12.5', '-0.1', '0.0000001', '9007199254740993', '-9223372036854775808', '123456789012.345'];
const LONG = [
  '123456789012345678901234567890.125',
  '0.1234567890123456789',
  '9223372036854775808.5',
  '9007199254740993.000',
  // No double has exactly this value, and these are infinite and 0 as doubles.
  `1${'0'.repeat(23)}`,
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
];
/** Zeros at the end are not significant. */
const ZEROS = [
  ['1.500000000000000000', '1.5'],
  ['-2.000000000000000000', '-2'],
  ['-0.00000000000000000000', '0'],
  ['000000000000000000001.5', '1.5'],
  ['1500000000000000000000', '1500000000000000000000'],
] as const;

const SUM = ['id', 'amount', 'count', 'day', 'flag', 'big', 'date', 'ratio'];

interface Page {
  readonly items: readonly { readonly id: number }[];
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
}

onEachDatabase(({ it, dialect, start }) => {
  it('keeps every digit of a decimal, or refuses it', async () => {
    const platform = await start({
      script: 'CREATE TABLE sums(id INTEGER PRIMARY KEY, amount NUMERIC)',
      services: {
        Sum: {
          table_name: 'sums',
          route: '/sums[/:id]',
          collection_name: 'sums',
          columns: { id: {}, amount: {} },
          filters: { amount: ['eq'] },
          collection: { GET: {}, POST: {} },
          entity: { GET: {}, PATCH: {} },
        },
      },
    });
    let id = 0;
    const create = (amount: string): Promise<Response> =>
      platform.request('/sums', sendJson({ id: ++id, amount }, 'POST'));
    for (const amount of EXACT) {
      const made = await create(amount);
      expect([made.status, (await bodyOf(made)).amount]).toEqual([201, amount]);
      const read = await platform.request(`/sums/${id}`);
      expect((await bodyOf(read)).amount).toBe(amount);
      const found = await bodyOf(await platform.request(`/sums?amount.eq=${amount}`));
      expect(found.sums).toEqual([{ id, amount }]);
      // The tag is of the stored value.
      const patched = await platform.request(`/sums/${id}`, {
        ...sendJson({ amount }, 'PATCH', { 'If-Match': read.headers.get('etag') ?? '' }),
      });
      expect(patched.status).toBe(200);
    }
    for (const [amount, stored] of ZEROS) {
      const made = await create(amount);
      expect([amount, made.status]).toEqual([amount, 201]);
      if (dialect === 'sqlite') expect((await bodyOf(made)).amount).toBe(stored);
      const found = await bodyOf(await platform.request(`/sums?amount.eq=${amount}`));
      expect(found.sums).toHaveLength(1);
      await platform.database.runScripts([`DELETE FROM sums WHERE id > ${EXACT.length}`]);
    }
    for (const amount of LONG) {
      const answer = await create(amount);
      const body = await bodyOf(answer);
      if (dialect === 'postgres') expect([answer.status, body.amount]).toEqual([201, amount]);
      else
        expect([answer.status, (body.errors as { pointer: string }[])[0]?.pointer]).toEqual([422, '/amount']);
    }
    const { sums } = await bodyOf(await platform.request('/sums'));
    expect((sums as unknown[]).length).toBe(EXACT.length + (dialect === 'postgres' ? LONG.length : 0));
  }, 60_000);

  it('is sent as it was received, also where other programs computed it', async () => {
    const { request, database } = await start({
      script: `CREATE TABLE prices(id INTEGER PRIMARY KEY, price NUMERIC);
        INSERT INTO prices VALUES (1, 0.1 + 0.2), (2, 1e21), (3, 1.0 / 3), (4, 9223372036854775808.0), (5, -1e-9)`,
      services: {
        Price: {
          table_name: 'prices',
          route: '/prices[/:id]',
          columns: { id: {}, price: {} },
          filters: { price: ['eq'] },
          collection: { GET: {} },
          entity: { GET: {}, PUT: {} },
        },
      },
    });
    const stored = (): unknown =>
      database.execute({ text: 'SELECT price FROM prices ORDER BY id', kind: 'read' }, []);
    const before = await stored();
    const { items } = await bodyOf(await request('/prices'));
    for (const price of items as { id: number; price: string }[]) {
      const sent = await request(`/prices/${price.id}`, sendJson(price, 'PUT'));
      expect([sent.status, await bodyOf(sent)]).toEqual([200, price]);
      expect((await bodyOf(await request(`/prices?price.eq=${price.price}`))).items).toEqual([price]);
    }
    expect(await stored()).toEqual(before);
  });

  it('accepts the values that a CHECK lists, in any notation', async () => {
    const platform = await start({
      script: `CREATE TABLE rates(id INTEGER PRIMARY KEY, rate DECIMAL(4, 1) CHECK (rate IN (0, 7, 19)),
        code BIGINT CHECK (code IN (1, 2)))`,
      services: {
        Rate: {
          table_name: 'rates',
          route: '/rates[/:id]',
          columns: { id: {}, rate: {}, code: {} },
          filters: { rate: ['eq'], code: ['eq'] },
          collection: { GET: {}, POST: {} },
        },
      },
    });
    const create = (rate: string, code: string): Promise<Response> =>
      platform.request('/rates', sendJson({ id: Number(code), rate, code }));
    expect((await create('7', '1')).status).toBe(201);
    expect((await create('19.0', '2')).status).toBe(201);
    expect((await create('8', '3')).status).toBe(422);
    const found = await bodyOf(await platform.request('/rates?rate.eq=7.0&code.eq=1'));
    expect(found.items).toHaveLength(1);
  });

  it('is compared with larger ones than its column can have', async () => {
    const platform = await start({
      script:
        'CREATE TABLE coins(id INTEGER PRIMARY KEY, worth NUMERIC(3, 2)); INSERT INTO coins VALUES (1, 0.5), (2, 2)',
      services: {
        Coin: {
          table_name: 'coins',
          route: '/coins[/:id]',
          columns: { id: {}, worth: {} },
          filters: { worth: ['lt', 'gt', 'in'] },
          collection: { GET: { sort: ['id'] } },
        },
      },
    });
    const idsOf = async (response: Response): Promise<unknown> =>
      ((await bodyOf(response)).items as Page['items']).map(({ id }) => id);
    expect(await idsOf(await platform.request('/coins?worth.lt=1000'))).toEqual([1, 2]);
    expect(await idsOf(await platform.request('/coins?worth.gt=-123456789012.5'))).toEqual([1, 2]);
    expect(await idsOf(await platform.request('/coins?worth.in=2,1000'))).toEqual([2]);
    const filter = { worth: { gt: '1', lt: '1000' } };
    expect(await idsOf(await platform.request('/coins/query', sendJson({ filter })))).toEqual([2]);
    for (const value of ['0.125', '1e3', 'x'])
      expect((await platform.request(`/coins?worth.lt=${value}`)).status).toBe(400);
  });

  it('is rounded before the point by a column of PostgreSQL with a negative scale', async () => {
    if (dialect === 'sqlite') return;
    const platform = await start({
      script: 'CREATE TABLE crowds(id INTEGER PRIMARY KEY, guests NUMERIC(3, -2))',
      services: {
        Crowd: {
          table_name: 'crowds',
          route: '/crowds[/:id]',
          columns: { id: {}, guests: {} },
          collection: { POST: {} },
        },
      },
    });
    const made = await platform.request('/crowds', sendJson({ id: 1, guests: '12345' }));
    expect([made.status, (await bodyOf(made)).guests]).toEqual([201, '12300']);
    expect((await platform.request('/crowds', sendJson({ id: 2, guests: '123456' }))).status).toBe(422);
  });

  if (dialect !== 'sqlite') return;

  it.each([
    ...['amount', '-amount', 'count', '-count', 'amount,-count', 'day', 'day,-id'],
    ...['flag', '-flag', 'big', '-big', 'date', '-date', '-day', 'ratio', '-ratio'],
  ])(
    'a list in the order of %s continues after values that no request could store',
    async (sort) => {
      const platform = await start({
        // Other programs may store any value in a column of any type.
        script: `CREATE TABLE sums(id INTEGER PRIMARY KEY, amount NUMERIC, count INTEGER, day TIMESTAMP, flag BOOLEAN, big BIGINT,
            date DATE, ratio REAL);
          INSERT INTO sums (id, amount, count, day) VALUES (1, 1, 1, 1.5), (2, 2, 2.5, 1.7e9), (3, 3, 2.5, 1700000001), (4, 4, 2, '2026-01-31 10:30:00'),
            (5, NULL, NULL, NULL), (6, 9007199254740993, 1e300, 3);
          UPDATE sums SET amount = amount * 1.1 WHERE id < 5;
          INSERT INTO sums (id, amount, count, day) VALUES (7, 9e999, 2.25, 0), (8, -9e999, 0, 0), (9, 1e-30, 0.1 + 0.2, 0),
            (10, 'none', 7, 0);
          UPDATE sums SET flag = 1, big = 1, date = '2026-01-31', ratio = 1 WHERE id = 1;
          UPDATE sums SET flag = 2, big = 1.5, date = 20260131, ratio = 9e999 WHERE id = 2;
          UPDATE sums SET flag = -1, big = 9007199254740993, date = 20260201, ratio = -9e999 WHERE id = 3;
          UPDATE sums SET flag = 'true', big = 'abc', date = 'x', ratio = 'abc', count = 'many' WHERE id = 4;
          UPDATE sums SET flag = 0, big = 1e300, date = 1.5, ratio = 1e-300 WHERE id = 6;
          UPDATE sums SET flag = 0.5, big = 2, date = '2026-02-01', ratio = 0.1 + 0.2 WHERE id > 7;
          INSERT INTO sums VALUES (11, 1, 9e999, 9e999, 9e999, 9e999, 9e999, 9e999), (12, 1, -9e999, -9e999, -9e999, -9e999, -9e999, -9e999),
            (13, 1, 9e999, 9e999, 9e999, 9e999, 9e999, 'NaN'), (14, 1, 'NaN', 'Zero', 'Zero', 'Zero', 'Zero', 'Zero');`,
        services: {
          Sum: {
            table_name: 'sums',
            route: '/sums[/:id]',
            columns: Object.fromEntries(SUM.map((name) => [name, {}])),
            collection: { GET: { sort: SUM } },
          },
        },
      });
      const page = async (query: string): Promise<Page> => {
        const response = await platform.request(`/sums?sort=${sort}&${query}`);
        const body = await bodyOf(response);
        expect([response.status, body.errors]).toEqual([200, undefined]);
        return body as unknown as Page;
      };
      const idsOf = ({ items }: Page): number[] => items.map(({ id }) => id);
      const all = idsOf(await page('page_size=100'));
      const forwards: number[] = [];
      const backwards: number[] = [];
      let current = await page('page_size=1');
      for (;;) {
        forwards.push(...idsOf(current));
        if (current.next_cursor === null || forwards.length > all.length) break;
        current = await page(`page_size=1&cursor=${current.next_cursor}`);
      }
      while (current.previous_cursor !== null && backwards.length < all.length) {
        current = await page(`page_size=1&cursor=${current.previous_cursor}`);
        backwards.unshift(...idsOf(current));
      }
      expect(all).toHaveLength(14);
      expect(forwards).toEqual(all);
      expect(backwards).toEqual(all.slice(0, -1));
    },
    30_000,
  );
});
