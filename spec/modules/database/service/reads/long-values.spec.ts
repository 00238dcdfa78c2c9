import { randomBytes } from 'node:crypto';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

interface Page {
  readonly items: readonly { readonly id?: number; readonly word?: string; readonly code?: unknown }[];
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
}

/** Longer than what a cursor can have. */
const LONG = 'b'.repeat(12_000);

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const common = { page_size: 2, entity: { GET: {}, DELETE: {} } };
    platform = await start({
      script: `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, owner TEXT);
        CREATE TABLE stamps (code ${dialect === 'sqlite' ? 'BLOB' : 'BYTEA'} PRIMARY KEY, text TEXT);
        CREATE TABLE words (word TEXT PRIMARY KEY);
        CREATE TABLE entries (id INTEGER PRIMARY KEY, title TEXT, note TEXT, other TEXT);
        CREATE INDEX entry_titles ON entries (title);
        CREATE INDEX entry_notes ON entries (lower(note));
        CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b));`,
      services: {
        Note: {
          ...common,
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, text: {}, owner: {} },
          collection: { GET: { sort: ['text', 'id'] }, POST: {} },
        },
        Stamp: {
          ...common,
          table_name: 'stamps',
          route: '/stamps[/:code]',
          route_identifier_name: 'code',
          columns: { code: {}, text: {} },
          collection: { GET: { sort: ['text'] }, POST: {} },
        },
        Word: {
          ...common,
          table_name: 'words',
          route: '/words[/:word]',
          route_identifier_name: 'word',
          columns: { word: {} },
          collection: { GET: {}, POST: {} },
        },
        Entry: {
          ...common,
          table_name: 'entries',
          route: '/entries[/:id]',
          columns: { id: {}, title: {}, note: {}, other: {} },
          collection: { POST: {} },
        },
        Pair: {
          ...common,
          table_name: 'pairs',
          route: '/pairs[/:a/:b]',
          route_identifier_name: ['a', 'b'],
          columns: { a: {}, b: {} },
          collection: { GET: {}, POST: {} },
        },
      },
    });
  }, 60_000);

  if (dialect === 'postgres')
    it.each(['title', 'note'])(
      'a text that is too long for the index of %s is 422 with its pointer',
      async (name) => {
        // A text that cannot be compressed.
        const long = randomBytes(2000).toString('hex');
        const body = { id: 1, title: 'a', note: 'b', other: long, [name]: long };
        const response = await platform.request('/entries', sendJson(body));
        expect([response.status, (await bodyOf(response)).errors]).toEqual([
          422,
          [{ pointer: `/${name}`, keyword: 'too_long', message: 'is too long' }],
        ]);
      },
    );

  const page = async (path: string): Promise<Page> => {
    const response = await platform.request(path);
    expect([response.status, path.slice(0, 100)]).toEqual([200, path.slice(0, 100)]);
    return (await bodyOf(response)) as unknown as Page;
  };

  /** The identifiers of all pages, forwards; then those of all pages before the last. */
  async function walk(path: string, id: 'id' | 'word'): Promise<readonly (readonly unknown[])[]> {
    const forwards: unknown[] = [];
    const backwards: unknown[] = [];
    const at = (cursor: string | null): string =>
      `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor ?? ''}`;
    let current = await page(path);
    for (;;) {
      forwards.push(...current.items.map((one) => one[id]));
      if (current.next_cursor === null) break;
      current = await page(at(current.next_cursor));
    }
    while (current.previous_cursor !== null) {
      current = await page(at(current.previous_cursor));
      backwards.unshift(...current.items.map((one) => one[id]));
    }
    return [forwards, backwards];
  }

  it('pages continue after texts of any length in the order', async () => {
    const texts = ['a', LONG, `${LONG}a`, `${LONG}ä`, null, 'c', 'd'];
    for (const [at, text] of texts.entries()) {
      const made = await platform.request('/notes', sendJson({ id: at + 1, text, owner: 'x' }));
      expect(made.status).toBe(201);
    }
    expect(await walk('/notes?sort=text', 'id')).toEqual([
      [1, 2, 3, 4, 6, 7, 5],
      [1, 2, 3, 4, 6, 7],
    ]);
    expect(await walk('/notes?sort=-text,-id', 'id')).toEqual([
      [7, 6, 4, 3, 2, 1, 5],
      [7, 6, 4, 3, 2, 1],
    ]);
  });

  it('a cursor whose entity was deleted is refused, and says how to continue', async () => {
    const { next_cursor: cursor } = await page('/notes?sort=text&page_size=2');
    await platform.request('/notes/2', { method: 'DELETE' });
    const refused = await platform.request(`/notes?sort=text&page_size=2&cursor=${cursor ?? ''}`);
    expect([refused.status, await bodyOf(refused)]).toMatchObject([
      400,
      {
        errors: [
          {
            parameter: 'cursor',
            message: 'refers to an entity that no longer exists: start with the first page',
          },
        ],
      },
    ]);
  });

  it('pages continue where the key has bytes', async () => {
    const codes = ['AAEC', 'AQID', '/+8=', 'aGk='];
    for (const code of codes)
      expect((await platform.request('/stamps', sendJson({ code, text: LONG + code }))).status).toBe(201);
    const first = await page('/stamps?sort=text');
    const second = await page(`/stamps?sort=text&cursor=${first.next_cursor ?? ''}`);
    expect(second.items).toHaveLength(2);
    expect(await page(`/stamps?sort=text&cursor=${second.previous_cursor ?? ''}`)).toMatchObject({
      items: first.items,
    });
  });

  it.each([
    ['BOOLEAN', [true, false]],
    ['NUMERIC(30, 6)', ['-12.5', '0', '0.000001', '9007199254740993']],
    ['DATE', ['0001-01-01', '2026-01-31', '9999-12-31']],
    [
      'TIMESTAMPTZ',
      [
        '2026-01-31T10:30:00Z',
        '2026-01-31T12:30:00.5+02:00',
        '2026-01-31T10:30:00.25Z',
        '9999-12-31T23:59:59Z',
      ],
    ],
    ['TIMESTAMP', ['2026-01-31T10:30:00', '2026-01-31T10:30:00.5', '2026-02-01T00:00:00']],
    ['TIME', ['00:00:00', '10:30:00', '10:30:00.5']],
    ['REAL', [-0.5, 0, 1e-7, 1e21]],
  ])('pages continue where the key is of the type %s', async (type, keys) => {
    const table = `things_${(/^\w+/.exec(type)?.[0] ?? '').toLowerCase()}`;
    const { request } = await start({
      script: `CREATE TABLE ${table} (code ${type} PRIMARY KEY NOT NULL, text TEXT);`,
      services: {
        Thing: {
          table_name: table,
          route: '/things[/:code]',
          route_identifier_name: 'code',
          columns: { code: {}, text: {} },
          collection: { GET: { sort: ['text'] }, POST: {} },
          entity: { GET: {} },
          page_size: 1,
        },
      },
    });
    const codes: unknown[] = [];
    for (const [at, code] of keys.entries()) {
      const made = await request('/things', sendJson({ code, text: `${LONG}${at}` }));
      expect([code, made.status]).toEqual([code, 201]);
      codes.push((await bodyOf(made)).code);
    }
    const pageOf = async (cursor: string): Promise<Page> => {
      const response = await request(`/things?sort=text${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(response.status).toBe(200);
      return (await bodyOf(response)) as unknown as Page;
    };
    const codesOf = ({ items }: Page): readonly unknown[] => items.map((one) => one.code);
    let current = await pageOf('');
    const forwards = [...codesOf(current)];
    while (current.next_cursor !== null) {
      current = await pageOf(current.next_cursor);
      forwards.push(...codesOf(current));
    }
    expect(forwards).toEqual(codes);
    const backwards = [...codesOf(current)];
    while (current.previous_cursor !== null) {
      current = await pageOf(current.previous_cursor);
      backwards.unshift(...codesOf(current));
    }
    expect(backwards).toEqual(codes);
  });

  it('a key has at most what a URL and a cursor can have, and every such key can be read and passed', async () => {
    for (const word of ['a', 'b'.repeat(1998), 'ä'.repeat(999), 'z']) {
      const made = await platform.request('/words', sendJson({ word }));
      expect(made.status).toBe(201);
      expect((await platform.request(made.headers.get('location') ?? '')).status).toBe(200);
    }
    const [forwards] = await walk('/words', 'word');
    expect(forwards).toHaveLength(4);
    for (const [path, entity, pointer, most] of [
      ['/words', { word: 'b'.repeat(1999) }, '/word', 2000],
      ['/words', { word: 'ä'.repeat(1000) }, '/word', 2000],
      ['/words', [{ word: 'x' }, { word: LONG }], '/1/word', 2000],
      ['/pairs', { a: 'x', b: 'y'.repeat(999) }, '/b', 1000],
    ] as const) {
      const refused = await platform.request(path, sendJson(entity));
      const message = `cannot be an identifier, which is part of a URL: must have at most ${most} bytes as JSON`;
      expect([refused.status, (await bodyOf(refused)).errors]).toMatchObject([422, [{ pointer, message }]]);
    }
  });

  it.each(['/notes?sort=text&', '/words?'])(
    'a cursor of %s that names no possible entity is refused',
    async (list) => {
      const { next_cursor: cursor } = await page(`${list}page_size=2`);
      const [hash] = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString()) as [string];
      for (const of of ['\ud800', 'none', '', {}, 1]) {
        const text = Buffer.from(JSON.stringify([hash, { of }])).toString('base64url');
        const refused = await platform.request(`${list}page_size=2&cursor=${text}`);
        expect([refused.status, (await bodyOf(refused)).errors]).toMatchObject([
          400,
          [{ parameter: 'cursor' }],
        ]);
      }
    },
  );
});
