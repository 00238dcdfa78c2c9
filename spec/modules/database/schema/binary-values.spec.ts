import fc from 'fast-check';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

/** Base64 whose last character has bits that no byte has (RFC 4648, 3.5), and text that a decoder skips. */
const ALTERED = ['AB==', 'AAB=', 'AAAAAF==', 'AA==\n'];

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const postgres = dialect === 'postgres';
    const bytes = postgres ? 'BYTEA' : 'BLOB';
    platform = await start({
      script: `CREATE TABLE files (id INTEGER PRIMARY KEY, content ${bytes}${postgres ? ', parts BYTEA[]' : ''});
        CREATE TABLE digests (hash ${bytes} PRIMARY KEY, name TEXT)`,
      services: {
        File: {
          table_name: 'files',
          route: '/files[/:id]',
          columns: { id: {}, content: {}, ...(postgres ? { parts: {} } : {}) },
          collection: { GET: {}, POST: {} },
          entity: { GET: {}, PUT: {}, PATCH: {} },
        },
        Digest: {
          table_name: 'digests',
          route: '/digests[/:hash]',
          route_identifier_name: 'hash',
          columns: { hash: {}, name: {} },
          collection: { POST: {} },
          entity: { GET: {} },
        },
      },
    });
  }, 60_000);
  const errorsOf = async (response: Response): Promise<readonly unknown[]> => [
    response.status,
    (await bodyOf(response)).errors,
  ];

  it.each(ALTERED)('%j, which would be stored as another text, is 422 with its pointer', async (content) => {
    const pointed = (pointer: string): unknown => [422, [expect.objectContaining({ pointer })]];
    const post = await platform.request('/files', sendJson({ id: 1, content }));
    expect(await errorsOf(post)).toEqual(pointed('/content'));
    const list = await platform.request('/files', sendJson([{ id: 1 }, { id: 2, content }]));
    expect(await errorsOf(list)).toEqual(pointed('/1/content'));
    await platform.request('/files', sendJson({ id: 3 }));
    for (const method of ['PUT', 'PATCH']) {
      const changed = await platform.request('/files/3', sendJson({ content }, method));
      expect(await errorsOf(changed)).toEqual(pointed('/content'));
    }
  });

  it('an identifier in another notation is that of no row', async () => {
    const made = await platform.request('/digests', sendJson({ hash: 'AA==', name: 'zero' }));
    expect(made.status).toBe(201);
    expect((await platform.request('/digests/AA==')).status).toBe(200);
    expect((await platform.request('/digests/AB==')).status).toBe(404);
  });

  it('any bytes are stored as they are', async () => {
    let id = 100;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
        const content = Buffer.from(bytes).toString('base64');
        const made = await platform.request('/files', sendJson({ id: ++id, content }));
        expect([made.status, (await bodyOf(made)).content]).toEqual([201, content]);
      }),
      { numRuns: 30 },
    );
  });

  if (dialect === 'sqlite') {
    it('texts and numbers that other programs stored as bytes are Base64 as well', async () => {
      await platform.database.runScripts([
        "INSERT INTO files VALUES (90, 'abcd'), (91, 'größer'), (92, 7), (93, ''), (94, NULL)",
      ]);
      for (const [id, text] of [
        [90, 'abcd'],
        [91, 'größer'],
        [92, '7'],
        [93, ''],
      ] as const) {
        const entity = { id, content: Buffer.from(text).toString('base64') };
        expect(await bodyOf(await platform.request(`/files/${id}`))).toEqual(entity);
        const sent = await platform.request(`/files/${id}`, sendJson(entity, 'PUT'));
        expect([sent.status, await bodyOf(sent)]).toEqual([200, entity]);
        const query = `SELECT CAST(content AS TEXT) AS content FROM files WHERE id = ${id}`;
        expect(await platform.database.execute({ text: query, kind: 'read' }, [])).toEqual([
          { content: text },
        ]);
      }
      expect(await bodyOf(await platform.request('/files/94'))).toEqual({ id: 94, content: null });
    });

    it('keys that other programs stored as texts have URLs, and pages lose no row', async () => {
      const { request } = await start({
        script: `CREATE TABLE marks (hash BLOB PRIMARY KEY, name TEXT);
          INSERT INTO marks VALUES (x'00', 'zero'), (x'ff', 'high'), ('abc', 'text'), ('größer', 'umlaut'), (7, 'number'),
            (2.5, 'fraction'), ('', 'empty')`,
        services: {
          Mark: {
            table_name: 'marks',
            route: '/marks[/:hash]',
            route_identifier_name: 'hash',
            collection_name: 'marks',
            columns: { hash: {}, name: {} },
            page_size: 1,
            collection: { GET: {}, PATCH: {} },
            entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
          },
        },
      });
      const walk = async (
        member: 'next_cursor' | 'previous_cursor',
        from: string,
      ): Promise<readonly string[]> => {
        const page = await bodyOf(await request(`/marks?${from}`));
        const [{ name } = { name: '' }] = page.marks as readonly { readonly name: string }[];
        const cursor = page[member] as string | null;
        return [name, ...(cursor === null ? [] : await walk(member, `cursor=${cursor}`))];
      };
      const names = ['fraction', 'number', 'empty', 'text', 'umlaut', 'zero', 'high'];
      expect(await walk('next_cursor', '')).toEqual(names);
      const whole = await bodyOf(await request('/marks?page_size=6'));
      const last = `cursor=${whole.next_cursor as string}`;
      expect(await walk('previous_cursor', last)).toEqual([...names].reverse());
      const hash = Buffer.from('größer').toString('base64');
      const url = `/marks/${encodeURIComponent(hash)}`;
      expect(await bodyOf(await request(url))).toEqual({ hash, name: 'umlaut' });
      const patched = await request(url, sendJson({ hash, name: 'larger' }, 'PATCH'));
      expect([patched.status, await bodyOf(patched)]).toEqual([200, { hash, name: 'larger' }]);
      const put = await request(url, sendJson({ name: 'largest' }, 'PUT'));
      expect([put.status, await bodyOf(put)]).toEqual([200, { hash, name: 'largest' }]);
      const list = await request('/marks', sendJson([{ hash, name: 'large' }], 'PATCH'));
      expect([list.status, await list.json()]).toEqual([200, [{ hash, name: 'large' }]]);
      expect((await request(url, { method: 'DELETE' })).status).toBe(204);
      expect((await request(url)).status).toBe(404);
    });
    return;
  }

  it('items of arrays are Base64 as well', async () => {
    const parts = ['AA==', null, '', Buffer.from('"\\x, {').toString('base64')];
    const made = await platform.request('/files', sendJson({ id: 90, parts }));
    expect([made.status, (await bodyOf(made)).parts]).toEqual([201, parts]);
    expect((await bodyOf(await platform.request('/files/90'))).parts).toEqual(parts);
    const [row] = await platform.database.execute(
      { text: `SELECT parts[1] = '\\x00'::bytea AS same FROM files WHERE id = 90`, kind: 'read' },
      [],
    );
    expect(row).toEqual({ same: true });
    const altered = await platform.request('/files', sendJson({ id: 91, parts: ['AA==', 'AB=='] }));
    expect(await errorsOf(altered)).toEqual([422, [expect.objectContaining({ pointer: '/parts' })]]);
  });
});
