import fc from 'fast-check';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject } from '../../../../../src/framework';
import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { describeOnBothDatabases } from '../../../../factories/database/both-databases';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../../factories/processes/start-refusal';
import { anyText } from '../../../../factories/any-text';

const TEXTS = [
  'The quick brown fox',
  'A quick-witted foxhound',
  'Slow foxes, and an owl',
  "The owl's nest",
  'Ünïcode fox',
  'Brown bread',
];
const rows = TEXTS.map((text, at) => `(${at + 1}, '${text.replaceAll("'", "''")}', ${at * 10}, ${at % 2})`);
const TABLE = 'id INTEGER PRIMARY KEY, body TEXT NOT NULL, price INTEGER NOT NULL, hidden INTEGER NOT NULL';

const sqlite = `
  CREATE TABLE notes (${TABLE});
  CREATE VIRTUAL TABLE note_texts USING fts5 (body, content='notes', content_rowid='id');
  CREATE TRIGGER notes_added AFTER INSERT ON notes BEGIN
    INSERT INTO note_texts (rowid, body) VALUES (new.id, new.body);
  END;
  INSERT INTO notes VALUES ${rows.join(', ')};
  CREATE TABLE others (${TABLE});
  INSERT INTO others SELECT * FROM notes;
  CREATE VIRTUAL TABLE other_texts USING fts5 (body, content=others);
  INSERT INTO other_texts (other_texts) VALUES ('rebuild');
  CREATE TABLE many (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL);
  INSERT INTO many WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i, i % 4 FROM n;`;
const postgres = `
  CREATE TABLE notes (${TABLE});
  CREATE INDEX ON notes USING gin (to_tsvector('simple', body));
  INSERT INTO notes VALUES ${rows.join(', ')};
  CREATE TABLE others (${TABLE}, search tsvector GENERATED ALWAYS AS (to_tsvector('simple', body)) STORED);
  CREATE INDEX ON others USING gin (search);
  INSERT INTO others VALUES ${rows.join(', ')};
  CREATE TABLE many (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL);
  INSERT INTO many SELECT i, i % 4 FROM generate_series(1, 10000) i;
  ANALYZE many;`;

const note = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'notes',
  route: '/notes[/:id]',
  route_identifier_name: 'id',
  columns: { id: {}, body: {}, price: {} },
  filters: { price: ['gte', 'lte'] },
  search: true,
  page_size: 2,
  collection: { GET: { sort: ['price'] } },
};

describeOnBothDatabases(
  'full-text search',
  {
    sql: (dialect) => (dialect === 'sqlite' ? sqlite : postgres),
    services: {
      Note: note,
      // The rows of a user.
      Other: { ...note, table_name: 'others', route: '/others[/:id]' },
      Many: {
        ...note,
        table_name: 'many',
        route: '/many[/:id]',
        columns: { id: {}, kind: {} },
        filters: { kind: ['eq'] },
        search: false,
        collection: { GET: {} },
      },
      Visible: { ...note, route: '/visible[/:id]', rows: { hidden: 0 } },
    },
  },
  ({ it, platform, dialect }) => {
    const idsOf = async (query: string): Promise<unknown> => {
      const answer = await platform().request(`/notes?${query}&page_size=50`);
      const body = await bodyOf(answer);
      if (answer.status !== 200) throw new Error(JSON.stringify(body));
      return (body.items as readonly { id: number }[]).map(({ id }) => id);
    };

    it.each([
      ['fox', [1, 2, 3, 5]],
      ['brown', [1, 6]],
      ['BROWN fox', [1]],
      ['fox brow', [1]],
      ['fo quick', []],
      ['quick-wit', [2]],
      ["owl's", [4]],
      ['ünïc', [5]],
      ['nothing', []],
      ['-- !', []],
    ])('finds the rows with all words of "%s", of which the last may be incomplete', async (text, ids) => {
      expect(await idsOf(`q=${encodeURIComponent(text)}`)).toEqual(ids);
    });

    it('combines with filters, order, pages, counts, and the rows of a user', async () => {
      expect(await idsOf('q=fox&price.gte=10&price.lte=30')).toEqual([2, 3]);
      const first = await bodyOf(await platform().request('/notes?q=fox&sort=-price&count=exact'));
      expect(first).toMatchObject({ items: [{ id: 5 }, { id: 3 }], total_items: 4 });
      const next = await bodyOf(
        await platform().request(`/notes?q=fox&sort=-price&count=exact&cursor=${String(first.next_cursor)}`),
      );
      expect(next).toMatchObject({ items: [{ id: 2 }, { id: 1 }], next_cursor: null });
      const body = { q: 'fox', filter: { not: { price: { gte: 30 } } }, sort: ['-price'], fields: ['id'] };
      const nested = await bodyOf(await platform().request('/notes/query', sendJson(body)));
      expect(nested.items).toEqual([{ id: 3 }, { id: 2 }]);
      const visible = await bodyOf(await platform().request('/visible?q=fox&page_size=9'));
      expect(visible.items).toMatchObject([{ id: 1 }, { id: 3 }, { id: 5 }]);
    });

    it('takes any text as words, and never as the syntax of queries', async () => {
      const text = fc.oneof(
        fc.string({ minLength: 1, maxLength: 40 }),
        anyText({ minLength: 1, maxLength: 40 }),
        fc
          .array(
            fc.constantFrom(
              '"',
              "'",
              '*',
              ':',
              '(',
              ')',
              '&',
              '|',
              '!',
              '<->',
              'AND',
              'NOT',
              'NEAR',
              '\\',
              ' ',
              'a',
              'fox',
              '-',
              '^',
              'body:',
              ';',
            ),
            { minLength: 1, maxLength: 12 },
          )
          .map((parts) => parts.join('')),
      );
      await fc.assert(
        fc.asyncProperty(text, async (q) => {
          const answer = await platform().request('/notes/query', sendJson({ q }));
          // Databases have no NUL in texts, and JSON no lone surrogates.
          const allowed = /[\0\ud800-\udfff]/.test(q) ? [200, 400, 422] : [200];
          expect(allowed).toContain(answer.status);
        }),
        { numRuns: 150, examples: [['fox\0'], ['\0fox'], ['a\0"b\0']] },
      );
      expect((await platform().request('/notes?q=')).status).toBe(400);
      expect((await platform().request(`/notes?q=${'x'.repeat(201)}`)).status).toBe(400);
    }, 60_000);

    it('takes half of a surrogate pair for the end of a word', async () => {
      const find = (q: string) => platform().request('/notes/query', sendJson({ q, fields: ['id'] }));
      for (const half of ['\ud800', '\udc00']) {
        const found = await find(`brown${half}fox`);
        expect([found.status, (await bodyOf(found)).items]).toEqual([200, [{ id: 1 }]]);
        expect((await bodyOf(await find(half))).items).toEqual([]);
      }
      // Whole pairs are parts of words.
      expect((await bodyOf(await find('𝒇ox'))).items).toEqual([]);
    });

    it('is documented', async () => {
      const document = await platform().request('/platform/documentation/Shop-v1?format=apidesc');
      expect(await document.text()).toContain('"name":"q","in":"query"');
      const page = await platform().request('/platform/documentation/Shop-v1/Note', {
        headers: { Accept: 'text/html' },
      });
      expect(await page.text()).toContain('Words that the entities have; the last one may be incomplete.');
    });

    it('uses a column of the table, or an index without a declared key', async () => {
      const found = await bodyOf(await platform().request('/others?q=quick%20fo&page_size=9'));
      expect(found.items).toMatchObject([{ id: 1 }, { id: 2 }]);
    });

    it('is not available where the service does not declare it', async () => {
      expect((await platform().request('/many?q=x')).status).toBe(400);
    });

    it('leaves counts to the database: PostgreSQL estimates them on request, SQLite counts', async () => {
      const totalOf = async (query: string): Promise<number> =>
        Number((await bodyOf(await platform().request(`/many?count=estimated&${query}`))).total_items);
      expect(await totalOf('')).toBe(10_000);
      const total = await totalOf('kind.eq=1');
      // The planner expects about a fourth.
      expect(Math.abs(total - 2500)).toBeLessThanOrEqual(dialect === 'sqlite' ? 0 : 500);
    });
  },
);

describe('a service that searches without an index', () => {
  it('is refused with the statement that creates one', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'search-')), 'shop.sqlite');
    const database = openDatabase(file);
    database.exec(`CREATE TABLE notes (${TABLE})`);
    database.close();
    const refusal = (changes: ConfigObject) =>
      startRefusal({
        modules: [...HOSTING, 'database'],
        local: {
          'platform-db': { adapters: { shop: { adapter: 'SqliteAdapter', options: { file } } } },
          'platform-hosting': {
            apis: { Shop: { versions: { '1': { services: { Note: { ...note, ...changes } } } } } },
          },
        },
      });
    expect(await refusal({})).toContain(
      `search is true, and notes has no full-text index. Create one in a migration: CREATE VIRTUAL TABLE "notes_search" USING fts5("body", content='notes')`,
    );
  });
});
