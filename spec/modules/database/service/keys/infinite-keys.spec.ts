import type { ConfigObject } from '../../../../../src/framework';
import type { TestPlatform } from '../../../../factories/platform';
import { PostgresServer } from '../../../../factories/database/postgres';
import { withPrograms } from '../../../../factories/processes/programs';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { startTables } from '../../../../factories/database/table-databases';
import { START_TIMEOUT_MS } from '../../../../factories/test-timeout';

const { describe, it } = withPrograms('postgres');

const TYPES = ['date', 'timestamp', 'timestamptz'] as const;

describe('a key of dates or instants', () => {
  let server: PostgresServer;
  let platform: TestPlatform;
  beforeAll(async () => {
    server = await PostgresServer.start();
    const tables = TYPES.map(
      (type) => `CREATE TABLE ${type}_keys (begin ${type} PRIMARY KEY, name TEXT);
        CREATE TABLE ${type}_parts (begin ${type}, part INTEGER, PRIMARY KEY (begin, part));
        INSERT INTO ${type}_keys VALUES ('infinity', 'last'), ('-infinity', 'first'), ('now', 'now');
        INSERT INTO ${type}_parts VALUES ('infinity', 1), ('-infinity', 2)`,
    );
    await server.adapter().runScripts(tables);
    const services = TYPES.flatMap((type): readonly [string, ConfigObject][] => {
      const key = { route_identifier_name: 'begin', columns: { begin: {}, name: {} } };
      const parts = { columns: { part: {}, begin: {} }, route_identifier_name: ['begin', 'part'] };
      const all = { GET: {}, PATCH: {}, DELETE: {} };
      return [
        [
          `${type}Key`,
          {
            ...key,
            table_name: `${type}_keys`,
            route: `/${type}[/:begin]`,
            collection: { GET: {} },
            entity: all,
          },
        ],
        [
          `${type}Described`,
          {
            ...key,
            table_name: `${type}_keys`,
            route: `/described-${type}[/:begin]`,
            parameters: { begin: { description: 'The begin.' } },
            entity: { GET: {} },
          },
        ],
        [
          `${type}Part`,
          {
            ...parts,
            table_name: `${type}_parts`,
            route: `/${type}/:begin/parts[/:part]`,
            collection: { GET: {} },
          },
        ],
      ];
    });
    platform = await startTables(
      { services: Object.fromEntries(services) },
      { adapter: 'PostgresAdapter', options: { url: server.url() } },
    );
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await platform.stop();
    await server.close();
  });

  const status = async (path: string, init: RequestInit = {}): Promise<number> =>
    (await platform.request(path, init)).status;

  it.each(TYPES)('may be infinite: %s', async (type) => {
    const { items } = (await bodyOf(await platform.request(`/${type}`))) as { items: { begin: string }[] };
    expect([items.at(0)?.begin, items.at(-1)?.begin]).toEqual(['-infinity', 'infinity']);
    for (const { begin } of items)
      for (const path of [`/${type}/${begin}`, `/described-${type}/${begin}`])
        expect([path, await status(path)]).toEqual([path, 200]);
    for (const begin of ['infinity', '-infinity']) {
      expect(await status(`/${type}/${begin}`, sendJson({ name: 'new' }, 'PATCH'))).toBe(200);
      expect((await bodyOf(await platform.request(`/${type}/${begin}`))).name).toBe('new');
      const parts = await bodyOf(await platform.request(`/${type}/${begin}/parts`));
      expect(parts.items).toEqual([{ begin, part: begin === 'infinity' ? 1 : 2 }]);
      expect(await status(`/${type}/${begin}`, { method: 'DELETE' })).toBe(204);
    }
  });

  it.each(['today', 'now', 'Infinity', '+infinity', 'infinit'])(
    'has no other notation than that of responses: %s',
    async (text) => {
      for (const type of TYPES) expect([type, await status(`/${type}/${text}`)]).toEqual([type, 404]);
    },
  );
});
