import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

/**
 * Triggers that change rows after they were written: in capitals, with a number of changes, or not at all any more. Those
 * of notes do so through another table.
 */
const SCRIPTS = {
  sqlite: `CREATE TRIGGER named AFTER INSERT ON things BEGIN
      UPDATE things SET label = upper(new.name), changes = changes + 1 WHERE id = new.id; END;
    CREATE TRIGGER renamed AFTER UPDATE OF name, data ON things BEGIN
      UPDATE things SET label = upper(new.name), changes = changes + 1 WHERE id = new.id; END;
    CREATE TRIGGER gone AFTER INSERT ON things WHEN new.name = 'gone' BEGIN DELETE FROM things WHERE id = new.id; END;
    CREATE TRIGGER noted AFTER INSERT ON notes BEGIN INSERT INTO "the log" VALUES (new.id); END;
    CREATE TRIGGER logged AFTER INSERT ON "the log" BEGIN UPDATE Notes SET text = 'logged' WHERE id = new.id; END;`,
  postgres: `CREATE FUNCTION label() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE things SET label = upper(new.name), changes = changes + 1 WHERE id = new.id;
      IF new.name = 'gone' THEN DELETE FROM things WHERE id = new.id; END IF;
      RETURN NULL; END $$;
    CREATE TRIGGER named AFTER INSERT OR UPDATE OF name, data ON things FOR EACH ROW EXECUTE FUNCTION label();
    CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      EXECUTE format('UPDATE %I SET text = %L WHERE id = $1', TG_TABLE_NAME, 'logged') USING new.id; RETURN NULL; END $$;
    CREATE TRIGGER noted AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION log();`,
};

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE things (id VARCHAR(9) PRIMARY KEY, name VARCHAR(20) NOT NULL, data JSON, label VARCHAR(20),
          changes INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE notes (id VARCHAR(9) PRIMARY KEY, text VARCHAR(20));
        CREATE TABLE "the log" (id VARCHAR(9));
        ${SCRIPTS[dialect]}`,
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: {
            id: {},
            name: {},
            data: {},
            label: { read_only: true },
            changes: { read_only: true },
          },
          collection: { GET: {}, POST: {}, PUT: {}, PATCH: {} },
          entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
        },
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, text: {} },
          collection: { POST: {} },
          entity: { GET: {} },
        },
      },
    });
  }, 60_000);

  /** The entity of a response, which has to be the stored one, with its entity tag. */
  async function expectStored(response: Response, path: string): Promise<Record<string, unknown>> {
    const written = await bodyOf(response);
    const read = await platform.request(path);
    expect(written).toEqual(await bodyOf(read));
    expect(response.headers.get('etag')).toBe(read.headers.get('etag'));
    return written;
  }

  it('the response to a write is the row as a trigger has left it, and its entity tag permits the next one', async () => {
    const made = await platform.request('/things', sendJson({ id: '1', name: 'lamp' }));
    expect(made.status).toBe(201);
    expect(await expectStored(made, '/things/1')).toMatchObject({ label: 'LAMP', changes: 1 });

    const match = (response: Response) => ({ 'If-Match': response.headers.get('etag') ?? '' });
    const patched = await platform.request('/things/1', sendJson({ name: 'vase' }, 'PATCH', match(made)));
    expect(patched.status).toBe(200);
    expect(await expectStored(patched, '/things/1')).toMatchObject({ label: 'VASE', changes: 2 });

    const merged = await platform.request('/things/1', sendJson({ data: { a: 1 } }, 'PATCH', match(patched)));
    expect(merged.status).toBe(200);
    await expectStored(merged, '/things/1');
    const again = await platform.request('/things/1', sendJson({ data: { b: 1 } }, 'PATCH', match(merged)));
    expect((await expectStored(again, '/things/1')).data).toEqual({ a: 1, b: 1 });

    const replaced = await platform.request('/things/1', sendJson({ name: 'bowl' }, 'PUT', match(again)));
    expect(replaced.status).toBe(200);
    expect(await expectStored(replaced, '/things/1')).toMatchObject({ label: 'BOWL', data: null });
    const stale = await platform.request('/things/1', sendJson({ name: 'desk' }, 'PUT', match(again)));
    expect(stale.status).toBe(412);
  });

  it('the entities of a list are as a trigger has left them', async () => {
    const names = async (method: string, items: readonly unknown[]): Promise<unknown> => {
      const response = await platform.request('/things', sendJson(items, method));
      const list = (await response.json()) as { readonly label: unknown }[];
      return [response.status, list.map(({ label }) => label)];
    };
    const items = [
      { id: '11', name: 'a' },
      { id: '12', name: 'b' },
      { id: '13', name: 'c', data: 1 },
    ];
    expect(await names('POST', items)).toEqual([201, ['A', 'B', 'C']]);
    const others = items.map(({ id }) => ({ id, name: `x${id}` }));
    expect(await names('PUT', others)).toEqual([200, ['X11', 'X12', 'X13']]);
    expect(
      await names(
        'PATCH',
        others.map(({ id }) => ({ id, name: 'y' })),
      ),
    ).toEqual([200, ['Y', 'Y', 'Y']]);
  });

  it('a row that a trigger removes is returned as it was written', async () => {
    const made = await platform.request('/things', sendJson({ id: '20', name: 'gone' }));
    expect([made.status, await bodyOf(made)]).toEqual([201, expect.objectContaining({ name: 'gone' })]);
    expect((await platform.request('/things/20')).status).toBe(404);
  });

  it('a trigger that changes the row by way of another table or of dynamic SQL is found too', async () => {
    const made = await platform.request('/notes', sendJson({ id: '1', text: 'new' }));
    expect((await expectStored(made, '/notes/1')).text).toBe('logged');
  });

  it('writes of a batch return the row as well', async () => {
    const operations = [
      { method: 'POST', path: '/things', body: { id: '30', name: 'cup' } },
      { method: 'PATCH', path: '/things/30', body: { name: 'mug' } },
    ];
    const response = await platform.request('/platform/batch', sendJson({ operations }));
    const { results } = (await bodyOf(response)) as { results: { body: { label: string } }[] };
    expect([response.status, results.map(({ body }) => body.label)]).toEqual([200, ['CUP', 'MUG']]);
  });
});
