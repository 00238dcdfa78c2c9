import { ContainerModule } from 'inversify';
import { Problem, type ConfigObject, type Module, type OperationHooks } from '../../../../src/platform';
import { describeOnBothDatabases } from '../../../factories/database/both-databases';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const refusing: OperationHooks = {
  before: () => {
    throw new Problem(403, 'Closed.');
  },
};

const masking: OperationHooks = {
  after: (page) => ({
    ...(page as object),
    items: (page as { items: object[] }).items.map((item) => ({ ...item, name: '***' })),
  }),
};

const hooks: Module = {
  name: 'hooks',
  requires: ['database'],
  services: new ContainerModule(({ bind }) => {
    bind('refusing').toConstantValue(refusing);
    bind('masking').toConstantValue(masking);
  }),
};

const table = (name: string, collection: ConfigObject): ConfigObject => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'notes',
  route: `/${name}[/:id]`,
  route_identifier_name: 'id',
  columns: { id: {}, name: {} },
  filters: { name: ['eq'] },
  collection,
});

const limit = (window: number, weights: Record<string, number> = {}) => [
  { limit: 2, window, per: 'all', weights },
];

describeOnBothDatabases(
  'The QUERY that the list of a table has by default',
  {
    sql: () =>
      `CREATE TABLE notes (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO notes VALUES (1, 'secret');`,
    services: {
      Closed: table('closed', { GET: { hooks: 'refusing' } }),
      Masked: table('masked', { GET: { hooks: 'masking' } }),
      Own: table('own', { GET: { hooks: 'refusing' }, QUERY: { hooks: 'masking' } }),
      Limited: table('limited', { GET: {} }),
      Weighted: table('weighted', { GET: {} }),
      Apart: table('apart', { GET: {} }),
      Free: table('free', { GET: {} }),
    },
    options: {
      modules: [...HOSTING, 'database'],
      extra: [hooks],
      local: {
        'platform-rate-limits': {
          'Shop/Limited collection GET': limit(60),
          'Shop/Weighted collection GET': limit(70, { GET: 2 }),
          'Shop/Apart collection GET': limit(80),
          'Shop-v1/Apart collection QUERY': limit(90),
          'Shop/Free': limit(50, { GET: 0 }),
          'Shop-v1/Free': limit(55, { GET: 2, QUERY: 0 }),
        },
      },
    },
  },
  ({ it, platform }) => {
    const get = (name: string) => platform().request(`/${name}`);
    const query = (name: string) => platform().request(`/${name}/query`, sendJson({}));

    it('has the hooks of the GET', async () => {
      expect([(await get('closed')).status, (await query('closed')).status]).toEqual([403, 403]);
      for (const response of [await get('masked'), await query('masked')])
        expect((await bodyOf(response)).items).toEqual([{ id: 1, name: '***' }]);
    });

    it('has its own hooks if it declares some', async () => {
      expect((await get('own')).status).toBe(403);
      expect((await bodyOf(await query('own'))).items).toEqual([{ id: 1, name: '***' }]);
    });

    it('has the rate limits of the GET, and counts with it', async () => {
      expect((await get('limited')).status).toBe(200);
      expect((await query('limited')).status).toBe(200);
      expect([(await get('limited')).status, (await query('limited')).status]).toEqual([429, 429]);
      expect([(await query('weighted')).status, (await query('weighted')).status]).toEqual([200, 429]);
    });

    it('counts as the GET by all limits that have no weight of its own', async () => {
      for (let count = 0; count < 3; count++) expect((await query('free')).status).toBe(200);
      expect([(await get('free')).status, (await get('free')).status]).toEqual([200, 429]);
    });

    it('has its own rate limits if there are some', async () => {
      for (const send of [get, query])
        expect([
          (await send('apart')).status,
          (await send('apart')).status,
          (await send('apart')).status,
        ]).toEqual([200, 200, 429]);
    });
  },
);
