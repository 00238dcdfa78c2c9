import { ContainerModule } from 'inversify';
import { Response, type ConfigObject, type Module, type OperationHooks } from '../../../../../src/platform';
import { describeOnBothDatabases } from '../../../../factories/database/both-databases';
import { HOSTING } from '../../../../factories/processes/start-refusal';

const NDJSON = 'application/x-ndjson';
const ROWS = 3_000;
/** More than a database serves at a time. */
const REQUESTS = 40;

const AFTER: Readonly<Record<string, OperationHooks['after']>> = {
  failing: () => {
    throw new Error('A defect of the hook.');
  },
  // As one that was written for pages.
  replacing: (page) => ({ ...(page as object), name: 'X' }),
  listing: () => [],
  answering: () => new Response(200, 'x'),
  wrapping: (stream) => numbered(stream as AsyncIterable<readonly object[]>),
};

async function* numbered(batches: AsyncIterable<readonly object[]>) {
  let at = 0;
  for await (const batch of batches) for (const entity of batch) yield { ...entity, name: `${at++}` };
}

const hooks: Module = {
  name: 'hooks',
  requires: ['database'],
  services: new ContainerModule(({ bind }) => {
    for (const [name, after] of Object.entries(AFTER)) bind(name).toConstantValue({ after });
  }),
};

const list = (name: string, others: ConfigObject): ConfigObject => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'things',
  route: `/${name}[/:id]`,
  route_identifier_name: 'id',
  columns: { id: {}, name: {} },
  collection: { GET: { stream: [NDJSON], ...others } },
});

describeOnBothDatabases(
  'The stream of a table with a hook after it',
  {
    sql: () => `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
      INSERT INTO things SELECT i, 'thing' FROM n;`,
    services: {
      Failing: list('failing', { hooks: 'failing' }),
      Replacing: list('replacing', { hooks: 'replacing' }),
      Listing: list('listing', { hooks: 'listing' }),
      Answering: list('answering', { hooks: 'answering' }),
      Wrapping: list('wrapping', { hooks: 'wrapping' }),
      Both: { ...list('both', { hooks: 'wrapping' }), hooks: 'failing' },
      Plain: list('plain', {}),
    },
    options: { modules: [...HOSTING, 'database'], extra: [hooks] },
  },
  ({ it, platform }) => {
    const stream = (name: string) => platform().request(`/${name}`, { headers: { Accept: NDJSON } });

    it.each(['failing', 'replacing', 'both'])('is closed if the hook is %s', async (name) => {
      const statuses = new Set<number>();
      for (let at = 0; at < REQUESTS; at += 1) {
        const response = await stream(name);
        await response.text();
        statuses.add(response.status);
      }
      expect([...statuses]).toEqual([500]);
      const other = await stream('plain');
      expect([other.status, (await other.text()).trim().split('\n').length]).toEqual([200, ROWS]);
    });

    it.each(['listing', 'answering'])('is closed if the hook is %s something else', async (name) => {
      for (let at = 0; at < REQUESTS; at += 1) {
        const response = await stream(name);
        await response.text();
        expect(response.status).toBe(200);
      }
      expect((await stream('plain')).status).toBe(200);
    });

    it('is read by another stream that the hook returns', async () => {
      const lines = (await (await stream('wrapping')).text()).trim().split('\n');
      expect(lines).toHaveLength(ROWS);
      expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ id: ROWS, name: `${ROWS - 1}` });
    });
  },
);
