import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const type = dialect === 'postgres' ? '::float8' : '';
    const service = (route: string, sql: string) => ({
      kind: 'procedure',
      route,
      sql,
      result: 'value',
      parameters: { value: { type: 'number' }, other: { type: 'number', default: 1 } },
    });
    platform = await start({
      script: 'CREATE TABLE facts (id INTEGER PRIMARY KEY);',
      services: {
        Same: service('/same', `select :value${type} * :other${type} as value -- ':value', not ?1`),
        Compared: service(
          '/compared',
          `select case when :value${type} > 0 and :value${type} < :other${type} then 'less' else ':value' end as value`,
        ),
      },
    });
  }, 60_000);

  it('a statement receives numbers that are next to zero as they are', async () => {
    for (const value of ['5e-324', '-5e-324', '1e-20', '2.5e-17', '1e-15', '0', '0.5', '3']) {
      const response = await platform.request(`/same?value=${value}`);
      expect([value, response.status, await response.json()]).toEqual([value, 200, Number(value)]);
    }
    const both = await platform.request('/same?value=1e-20&other=1e-20');
    expect(await both.json()).toBeCloseTo(1e-40, 50);
  });

  it('a statement compares them as numbers', async () => {
    expect(await (await platform.request('/compared?value=1e-20')).json()).toBe('less');
    expect(await (await platform.request('/compared?value=1e-20&other=1e-21')).json()).toBe(':value');
  });
});
