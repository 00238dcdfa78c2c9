import type { ConfigObject } from '../../../../../src/framework';
import { createSqliteTables, describeOnEachAdapter } from '../../../../factories/database/created-tables';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../../factories/processes/start-refusal';

const SCHEMA = `
  CREATE TABLE towns (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, people INTEGER NOT NULL);
  INSERT INTO towns VALUES (1, 'Berlin', 3900000), (2, 'Bern', 130000), (3, 'Paris', 2100000),
    (4, 'århus', 280000);`;

const town = (filters: ConfigObject): ConfigObject => ({
  kind: 'table',
  adapter_name: 'towns',
  table_name: 'towns',
  route: '/towns[/:id]',
  route_identifier_name: 'id',
  collection_name: 'towns',
  columns: { id: {}, name: {} },
  sql_filters: filters,
  collection: {
    GET: {},
    DELETE: { query: { properties: { named: { description: 'The name of the towns to delete.' } } } },
  },
});

const FILTERS: ConfigObject = {
  named: { where: 'lower(name) = lower(:value)', description: 'The name, in any letter case.' },
  lower: { where: 'name = :value', lower_case: true },
  size: {
    where: {
      sqlite: "people / 1000000 >= :value AND :value >= 0 AND name <> ':values'",
      postgres: "people / 1000000 >= :value::integer AND :value::integer >= 0 AND name <> ':values'",
    },
    schema: { type: 'integer', minimum: 1 },
  },
};

const project = (adapter: ConfigObject, filters: ConfigObject = FILTERS) => ({
  modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'database'],
  local: {
    'platform-db': { adapters: { towns: adapter } },
    'platform-hosting': { apis: { Map: { versions: { '1': { services: { Town: town(filters) } } } } } },
  },
});

/** The same requests, whatever the database. */
function behaviour(it: jest.It, createTable: () => Promise<ConfigObject>): void {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform(project(await createTable()))), 60_000);
  afterAll(() => platform.stop());

  it.each([
    ['named=BERN', ['Bern']],
    ["named=x' OR '1'='1", []],
    ['named=:value', []],
    ['lower=ÅRHUS', ['århus']],
    ['size=2', ['Berlin', 'Paris']],
    ['size=2&named=paris', ['Paris']],
  ])('selects the rows of %s', async (query, names) => {
    const response = await platform.request(`/towns?${query}&count=exact`);
    const { towns, total_items } = await bodyOf(response);
    expect((towns as { name: string }[]).map(({ name }) => name)).toEqual(names);
    expect(total_items).toBe(names.length);
  });

  it.each(['named=', 'size=0', 'size=x'])('refuses %s with 400', async (query) => {
    expect((await platform.request(`/towns?${query}`)).status).toBe(400);
  });

  it.each(['named=', 'size=0', 'size=x'])('refuses to delete the rows of %s with 400', async (query) => {
    const response = await platform.request(`/towns?${query}`, { method: 'DELETE' });
    const { total_items } = await bodyOf(await platform.request('/towns?count=exact'));
    expect([response.status, total_items]).toEqual([400, 4]);
  });

  it('are documented with their description', async () => {
    const response = await platform.request('/platform/documentation/Map-v1/Town', {
      headers: { Accept: 'application/vnd.apidesc+json' },
    });
    const text = await response.text();
    expect(text).toContain('The name, in any letter case.');
    expect(text).toContain('The name of the towns to delete.');
    expect(text).not.toContain('lower(');
  });
}

describeOnEachAdapter('filters in SQL', SCHEMA, behaviour);

describeOnEachAdapter('a filter in SQL with a default', SCHEMA, (it, createTable) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const least = {
      where: 'people >= CAST(:value AS INTEGER)',
      schema: { type: 'integer', default: 1_000_000 },
    };
    const named = { where: 'name = :value' };
    platform = await startTestPlatform(project(await createTable(), { least, named }));
  }, 60_000);
  afterAll(() => platform.stop());
  const namesOf = async (response: Response) =>
    ((await bodyOf(response)).towns as { name: string }[]).map(({ name }) => name);

  it('has it in a GET', async () => {
    expect(await namesOf(await platform.request('/towns'))).toEqual(['Berlin', 'Paris']);
    expect(await namesOf(await platform.request('/towns?least=2500000'))).toEqual(['Berlin']);
  });

  it('does not have it in a DELETE', async () => {
    const response = await platform.request('/towns', { method: 'DELETE' });
    expect(response.status).toBe(400);
    expect(await namesOf(await platform.request('/towns?least=0'))).toHaveLength(4);
  });

  it('does not have it in the filter of a body', async () => {
    const select = async (filter: object) =>
      namesOf(await platform.request('/towns/query', sendJson({ filter })));
    expect(await select({ or: [{ named: 'Bern' }, { least: 3_000_000 }] })).toEqual(['Berlin', 'Bern']);
    expect(await select({ not: { named: 'Bern' } })).toHaveLength(3);
  });
});

describe('a filter in SQL', () => {
  it('is refused without a place for the value', async () => {
    const { modules, local } = project(createSqliteTables(SCHEMA), { all: { where: 'true' } });
    expect(await startRefusal({ modules, local })).toContain(
      'sql_filters.all.where does not contain ":value"',
    );
  });

  it.each(['fields', 'embed', 'count'])('is refused with the name of the parameter %s', async (name) => {
    const { modules, local } = project(createSqliteTables(SCHEMA), { [name]: { where: 'name = :value' } });
    expect(await startRefusal({ modules, local })).toContain(
      `sql_filters has "${name}", which is a parameter of every list`,
    );
  });
});
