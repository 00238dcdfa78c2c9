import { onEachDatabase } from '../../factories/table-databases';
import { bodyOf, sendJson } from '../../factories/requests';

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
});
