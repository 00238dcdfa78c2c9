import { bodyOf, sendJson } from '../../factories/requests';
import { onEachDatabase } from '../../factories/table-databases';

onEachDatabase(({ it, start }) => {
  it('batches that change the same rows in opposite order all succeed', async () => {
    const platform = await start({
      script: `CREATE TABLE accounts (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL);
        INSERT INTO accounts VALUES (1, 0), (2, 0);`,
      services: {
        Account: {
          table_name: 'accounts',
          route: '/accounts[/:id]',
          columns: { id: {}, amount: {} },
          entity: { GET: {}, PATCH: {} },
        },
      },
    });
    const batch = (amount: number, ids: readonly number[]): Promise<Response> =>
      platform.request(
        '/platform/batch',
        sendJson({
          operations: ids.map((id) => ({ method: 'PATCH', path: `/accounts/${id}`, body: { amount } })),
        }),
      );
    for (let round = 1; round <= 5; round++) {
      const responses = await Promise.all([
        batch(round, [1, 2]),
        batch(-round, [2, 1]),
        batch(100 + round, [1, 2]),
        batch(-100 - round, [2, 1]),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const [one, two] = await Promise.all(
        [1, 2].map(async (id) => (await bodyOf(await platform.request(`/accounts/${id}`))).amount),
      );
      // One batch after the other.
      expect(one).toBe(two);
    }
  }, 120_000);
});
