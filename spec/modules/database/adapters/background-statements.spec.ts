import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { BackgroundWork, ContainerModule, type Module, type OperationHooks } from '../../../../src/platform';
import type { TableHooks } from '../../../../src/modules/database/custom/table-hooks';
import { sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

interface Desk {
  notes: { id: number; name: string };
  sent: { name: string };
}

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  let work: BackgroundWork;
  let db: Kysely<Desk>;
  /** Works that have ended, with the names of the notes they saw. */
  const seen: string[] = [];
  /** Names of works that found the row of their note when they began. */
  const found: string[] = [];

  /** Begins work that has one statement while the request is handled, and one after its end. */
  const send = (name: string): void =>
    work.run(name, async () => {
      const note = name.replace(/^\w+ /, '');
      const rows = await db.selectFrom('notes').select('id').where('name', '=', note).execute();
      if (rows.length > 0) found.push(name);
      await db
        .insertInto('sent')
        .values({ name: `${name} at once` })
        .execute();
      await delay(100);
      await db
        .insertInto('sent')
        .values({ name: `${name} later` })
        .execute();
      seen.push(name);
    });

  const hooks: TableHooks & OperationHooks = {
    afterCreate: ({ name }) => send(`row ${String(name)}`),
    after: (result) => send(`operation ${String((result as { name: unknown }).name)}`),
  };
  const sending: Module = {
    name: 'sending',
    requires: ['database'],
    services: new ContainerModule(({ bind }) => void bind('sending').toConstantValue(hooks)),
    onBootstrap: async ({ application: { services } }) => {
      work = await services.get(BackgroundWork);
      db = await services.get<Kysely<Desk>>('database:db');
    },
  };

  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE notes (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE sent (name TEXT);`,
      services: {
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, name: {} },
          hooks: 'sending',
          collection: { POST: {} },
        },
      },
      extra: [sending],
    });
  }, 60_000);

  it('background work of a hook has statements of its own, also after the request and in a batch', async () => {
    const made = await platform.request('/notes', sendJson({ id: 1, name: 'a' }));
    expect(made.status).toBe(201);
    const operations = ['b', 'c'].map((name, at) => ({
      method: 'POST',
      path: '/notes',
      body: { id: at + 2, name },
    }));
    expect((await platform.request('/platform/batch', sendJson({ operations }))).status).toBe(200);
    while (seen.length < 6) await delay(10);
    const rows = await db.selectFrom('sent').select('name').execute();
    const begun = ['row', 'operation'].flatMap((kind) => ['a', 'b', 'c'].map((name) => `${kind} ${name}`));
    // It starts when the transaction is committed.
    expect([...found].sort()).toEqual([...begun].sort());
    expect(rows.map(({ name }) => name).sort()).toEqual(
      begun.flatMap((name) => [`${name} at once`, `${name} later`]).sort(),
    );
  });

  it('background work keeps its statements when the transaction is rolled back', async () => {
    const operations = [
      { method: 'POST', path: '/notes', body: { id: 10, name: 'd' } },
      { method: 'POST', path: '/notes', body: { id: 10, name: 'e' } },
    ];
    await platform.request('/platform/batch', sendJson({ operations }));
    expect(await db.selectFrom('notes').select('id').where('id', '=', 10).execute()).toHaveLength(0);
    while (!seen.includes('row d')) await delay(10);
    const rows = await db.selectFrom('sent').select('name').where('name', 'like', 'row d%').execute();
    expect(rows.map(({ name }) => name).sort()).toEqual(['row d at once', 'row d later']);
  });
});
