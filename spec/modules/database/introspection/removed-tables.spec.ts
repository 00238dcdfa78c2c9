import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const service = (name: string) => ({
      table_name: name,
      route: `/${name}[/:id]`,
      collection_name: name,
      columns: { id: {}, label: {} },
      collection: { GET: {}, POST: {} },
      entity: { GET: {}, PATCH: {}, DELETE: {} },
    });
    platform = await start({
      script: `CREATE TABLE lamps (id INTEGER PRIMARY KEY, label VARCHAR(9));
        CREATE TABLE vases (id INTEGER PRIMARY KEY, label VARCHAR(9));`,
      services: { Lamp: service('lamps'), Vase: service('vases') },
    });
  }, 60_000);

  const errorsOf = () => platform.log.lines.filter(({ level }) => level === 'error');

  it('a removed table is a 503 that does not ask to try again, and is logged once', async () => {
    await platform.database.runScripts(['DROP TABLE lamps']);
    for (let round = 0; round < 3; round++) {
      const response = await platform.request('/lamps/1');
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, null]);
      const { detail } = await bodyOf(response);
      expect(detail).toBe(
        'This service does not match its database. The request cannot succeed until an administrator has corrected that.',
      );
    }
    const [line, ...others] = errorsOf();
    expect(others).toEqual([]);
    const { err } = line?.details as { readonly err: Error };
    expect(err.message).toMatch(/lamps/);
    expect((await platform.request('/vases')).status).toBe(200);
  });

  it('a removed table that is back is served again', async () => {
    await platform.database.runScripts([
      "CREATE TABLE lamps (id INTEGER PRIMARY KEY, label VARCHAR(9)); INSERT INTO lamps VALUES (1, 'Globe')",
    ]);
    expect(await bodyOf(await platform.request('/lamps/1'))).toEqual({ id: 1, label: 'Globe' });
  });

  it('a removed column is logged once for each statement that names it', async () => {
    platform.log.lines.length = 0;
    await platform.database.runScripts(['ALTER TABLE vases DROP COLUMN label']);
    for (let round = 0; round < 3; round++)
      expect((await platform.request('/vases', sendJson({ id: 1, label: 'x' }))).status).toBe(503);
    expect(errorsOf()).toHaveLength(1);
  });
});
