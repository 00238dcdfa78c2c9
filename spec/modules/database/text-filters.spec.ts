import { bodyOf, sendJson } from '../../factories/requests';
import { onEachDatabase, type TablePlatform } from '../../factories/table-databases';

/** A text of more than 50,000 bytes, the most that a pattern of SQLite has. */
const LONG = 'ä'.repeat(30_000);
const STARS = '*'.repeat(20_000);

const TEXTS = [`${LONG}b`, `${STARS}b`, 'a[b', 'a?b', 'a*b', 'a]b', 'a%b', 'a_b', 'a\\b', 'axb', 'AXB'];

onEachDatabase(({ it, start }) => {
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
});
