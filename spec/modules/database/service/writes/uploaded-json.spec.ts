import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

onEachDatabase(({ it, start, dialect }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const type = dialect === 'sqlite' ? 'JSON' : 'JSONB';
    platform = await start({
      script: `CREATE TABLE samples (id INTEGER PRIMARY KEY, data ${type})`,
      services: {
        Sample: {
          table_name: 'samples',
          route: '/samples[/:id]',
          columns: { id: {}, data: {} },
          content_type: ['application/json', 'multipart/form-data'],
          collection: { GET: {}, POST: {} },
        },
      },
    });
  }, 60_000);

  it('a JSON column takes no file of a form', async () => {
    const form = new FormData();
    form.set('id', '1');
    form.set('data', new Blob(['content'], { type: 'text/plain' }), 'file.txt');
    const refused = await platform.request('/samples', { method: 'POST', body: form });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/data' }] });
    const list = (await (await platform.request('/samples')).json()) as { items: unknown[] };
    expect(list.items).toEqual([]);
  });
});
