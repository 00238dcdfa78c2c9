import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

/** A text of more than 50,000 bytes, the most that a pattern of SQLite has. */
const LONG = 'ä'.repeat(30_000);
const STARS = '*'.repeat(20_000);

const TEXTS = [`${LONG}b`, `${STARS}b`, 'a[b', 'a?b', 'a*b', 'a]b', 'a%b', 'a_b', 'a\\b', 'axb', 'AXB'];

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);`,
      services: {
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, text: {} },
          filters: { text: ['starts', 'contains'] },
          collection: { GET: { sort: ['id'] }, POST: {} },
          page_size: 20,
        },
      },
    });
    for (const [at, text] of TEXTS.entries())
      expect((await platform.request('/notes', sendJson({ id: at + 1, text }))).status).toBe(201);
  }, 60_000);

  /** The positions of the texts that a filter finds, or the status of an error. */
  async function found(filter: object): Promise<unknown> {
    const response = await platform.request('/notes/query', sendJson({ filter, sort: ['id'] }));
    if (response.status !== 200) return response.status;
    return ((await bodyOf(response)).items as readonly { id: number }[]).map(({ id }) => id - 1);
  }

  it.each(['starts', 'contains'])('%s finds texts of any length', async (operator) => {
    const where = (text: string): Promise<unknown> => found({ text: { [operator]: text } });
    expect([
      await where(LONG),
      await where(`${LONG}b`),
      await where(`${LONG}c`),
      await where(`${LONG}bb`),
      await where(STARS),
      await where(`${STARS}*`),
      // As the same statement.
      await where('x'.repeat(1_000_000)),
    ]).toEqual([[0], [0], [], [], [1], [], []]);
    expect(await found({ not: { text: { [operator]: LONG } } })).toHaveLength(TEXTS.length - 1);
    expect(await found({ or: [{ text: { [operator]: STARS } }, { text: { [operator]: 'a[' } }] })).toEqual([
      1, 2,
    ]);
  });

  it.each(['starts', 'contains'])('%s takes each character for itself', async (operator) => {
    for (const [at, text] of [...TEXTS.entries()].slice(2))
      expect([text, await found({ text: { [operator]: text.slice(0, 2) } })]).toEqual([text, [at]]);
    const url = await platform.request(`/notes?text.${operator}=${'*'.repeat(4000)}`);
    expect((await bodyOf(url)).items).toHaveLength(1);
  });

  it.each(['starts', 'contains'])('%s refuses NUL, which no text has', async (operator) => {
    for (const text of ['a\0', `${LONG}\0`]) expect(await found({ text: { [operator]: text } })).toBe(422);
  });

  if (dialect !== 'postgres') return;

  it('a collation by which different texts are equal decides no beginning and no part of a text', async () => {
    const { request, database } = await start({
      script: `CREATE COLLATION "any_case" (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        CREATE DOMAIN label AS TEXT COLLATE "any_case";
        CREATE TABLE labels (
          id INTEGER PRIMARY KEY, text TEXT COLLATE "any_case", label label, code CHAR(4) COLLATE "any_case"
        );
        INSERT INTO labels VALUES (1, 'Lamp', 'Lamp', 'La'), (2, 'lamp', 'lamp', 'la'), (3, 'Vase', 'Vase', 'Va');
        INSERT INTO labels SELECT n, 'x' || n, 'x', 'x' FROM generate_series(4, 2000) n;
        CREATE INDEX label_texts ON labels (text COLLATE "C");
        CREATE INDEX label_labels ON labels (label COLLATE "C");
        ANALYZE labels;`,
      services: {
        Label: {
          table_name: 'labels',
          route: '/labels[/:id]',
          columns: { id: {}, text: {}, label: {}, code: {} },
          filters: {
            text: ['eq', 'starts', 'contains'],
            label: ['eq', 'starts', 'contains'],
            code: ['starts', 'contains'],
          },
          collection: { GET: { sort: ['id'] } },
        },
      },
    });
    const found = async (query: string): Promise<unknown> => {
      const response = await request(`/labels?${query}`);
      if (response.status !== 200) return response.status;
      return ((await bodyOf(response)).items as readonly { id: number }[]).map(({ id }) => id);
    };
    for (const column of ['text', 'label', 'code'])
      expect([
        column,
        await found(`${column}.starts=la`),
        await found(`${column}.starts=La`),
        await found(`${column}.contains=a`),
        await found(`${column}.contains=A`),
      ]).toEqual([column, [2], [1], [1, 2, 3], []]);
    expect([await found('text.eq=LAMP'), await found('label.eq=LAMP')]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    for (const [column, index] of [
      ['text', 'label_texts'],
      ['label', 'label_labels'],
    ] as const) {
      const text = `EXPLAIN SELECT id FROM labels WHERE ${column}::text COLLATE "C" LIKE 'la%'`;
      const plan = await database.execute({ text, kind: 'read' }, []);
      expect(JSON.stringify(plan)).toContain(index);
    }
  }, 60_000);

  it('the spaces at the end of a char(n) are part of the text, as in responses', async () => {
    const { request, database } = await start({
      script: `CREATE DOMAIN code AS CHAR(4);
        CREATE TABLE codes (id INTEGER PRIMARY KEY, code CHAR(4), domain code);
        INSERT INTO codes VALUES (1, 'x', 'x'), (2, 'x%', 'x%'), (3, 'xy z', 'xy z'), (4, '', ''), (5, NULL, NULL);
        INSERT INTO codes SELECT n, 'c' || n, '' FROM generate_series(10, 999) n;
        CREATE INDEX code_beginnings ON codes (code bpchar_pattern_ops);
        ANALYZE codes;`,
      services: {
        Code: {
          table_name: 'codes',
          route: '/codes[/:id]',
          columns: { id: {}, code: {}, domain: {} },
          entity: { GET: {} },
          filters: { id: ['lt'], code: ['eq', 'starts', 'contains'], domain: ['starts', 'contains'] },
          collection: { GET: { sort: ['id'] } },
        },
      },
    });
    const found = async (filter: string): Promise<unknown> => {
      const response = await request(`/codes?id.lt=10&${filter}`);
      if (response.status !== 200) return response.status;
      return ((await bodyOf(response)).items as readonly { id: number }[]).map(({ id }) => id);
    };
    expect((await bodyOf(await request('/codes/1'))).code).toBe('x   ');
    for (const column of ['code', 'domain'])
      expect([
        await found(`${column}.starts=x%20%20%20`),
        await found(`${column}.contains=x%20%20%20`),
        await found(`${column}.starts=x`),
        await found(`${column}.starts=x%25`),
        await found(`${column}.contains=%25%20`),
        await found(`${column}.contains=_`),
        await found(`${column}.contains=%20`),
        await found(`${column}.contains=%20z`),
        await found(`${column}.starts=x%20%20%20%20`),
      ]).toEqual([[1], [1], [1, 2, 3], [2], [2], [], [1, 2, 3, 4], [3], []]);
    // As PostgreSQL compares them.
    expect(await found('code.eq=x')).toEqual([1]);
    const text = `EXPLAIN SELECT id FROM codes WHERE code LIKE 'x%'`;
    expect(JSON.stringify(await database.execute({ text, kind: 'read' }, []))).toContain('code_beginnings');
  }, 60_000);
});
