import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

const NAMES = ['and', 'or', 'not'];

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE gates (id INTEGER PRIMARY KEY, "and" INTEGER, "or" INTEGER, "not" INTEGER);
        INSERT INTO gates VALUES (1, 1, 1, 1), (2, 2, 2, 2);`,
      services: {
        Gate: {
          table_name: 'gates',
          route: '/gates[/:id]',
          columns: { id: {}, and: {}, or: {}, not: {} },
          filters: { id: ['eq'], and: ['eq'], or: ['eq'], not: ['eq'] },
          collection: { GET: {} },
        },
      },
    });
  }, 60_000);

  const idsOf = async (response: Response): Promise<unknown> =>
    response.status === 200
      ? ((await bodyOf(response)).items as readonly { id: number }[]).map(({ id }) => id)
      : response.status;
  const query = async (filter: object): Promise<unknown> =>
    idsOf(await platform.request('/gates/query', sendJson({ filter })));

  it.each(NAMES)('a column with the name %s has filters in a URL, and none in a body', async (name) => {
    expect(await idsOf(await platform.request(`/gates?${name}.eq=2`))).toEqual([2]);
    expect(await query({ [name]: { eq: 2 } })).toBe(422);
  });

  it('columns with the names of combinations leave these as they are', async () => {
    expect(await query({ or: [{ id: { eq: 1 } }, { not: { and: [{ id: { eq: 1 } }] } }] })).toEqual([1, 2]);
    expect(await query({ not: { id: { eq: 1 } } })).toEqual([2]);
  });
});
