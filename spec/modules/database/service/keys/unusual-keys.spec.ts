import fc from 'fast-check';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';
import { anyText } from '../../../../factories/any-text';
import { PAIR_SERVICE, TEXT_KEY_TABLES, WORD_SERVICE } from '../../../../factories/database/text-keys';

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const operations = { collection: { GET: {}, POST: {} }, entity: { GET: {}, PUT: {}, DELETE: {} } };
    platform = await start({
      script: TEXT_KEY_TABLES,
      services: { Word: { ...WORD_SERVICE, ...operations }, Pair: { ...PAIR_SERVICE, ...operations } },
    });
  }, 60_000);

  /** Creates a row and reads it at its Location; or expects the problem of its key. */
  async function createAndRead(path: string, entity: object): Promise<boolean> {
    const made = await platform.request(path, sendJson(entity));
    if (made.status === 422) return false;
    expect(made.status).toBe(201);
    const location = made.headers.get('location') ?? '';
    const read = await platform.request(location);
    expect([read.status, await bodyOf(read)]).toEqual([200, entity]);
    expect((await platform.request(location, { method: 'DELETE' })).status).toBe(204);
    return true;
  }

  it.each([
    'a/b',
    '/',
    '%',
    '%2F',
    '%00',
    'ä',
    '日本',
    '😀',
    '...',
    ' ',
    ' a ',
    '?',
    '#',
    'a?b=c#d',
    ';',
    '+',
    '\\',
    '"',
    "'",
    '\u0001',
    '\n',
  ])('the key %j has a Location that works', async (word) => {
    expect(await createAndRead('/words', { word, size: 1 })).toBe(true);
    expect(await createAndRead('/pairs', { a: word, b: word, size: 1 })).toBe(true);
  });

  it.each(['', '.', '..', 'a\0b', '\ud800', 'a\udc00b'])(
    'the key %j is refused with a pointer',
    async (word) => {
      for (const [path, entity, pointer] of [
        ['/words', { word }, '/word'],
        ['/pairs', { a: 'x', b: word }, '/b'],
        ['/words', [{ word: 'x' }, { word }], '/1/word'],
      ] as const) {
        const refused = await platform.request(path, sendJson(entity));
        const { errors } = (await bodyOf(refused)) as { errors: readonly { pointer: string }[] };
        expect([refused.status, errors[0]?.pointer]).toEqual([422, pointer]);
      }
      expect((await bodyOf(await platform.request('/words'))).items).toEqual([]);
    },
  );

  it('the refusal of half a surrogate pair says that no URL can name it', async () => {
    const refused = await platform.request('/words', sendJson({ word: 'a\udc00b' }));
    const { errors } = (await bodyOf(refused)) as { errors: readonly { message: string }[] };
    expect(errors[0]?.message).toContain('cannot be an identifier');
  });

  it('any other text is a key', async () => {
    await fc.assert(
      fc.asyncProperty(anyText({ maxLength: 40 }), async (word) => {
        const isKey = !['', '.', '..'].includes(word) && !word.includes('\0');
        expect(await createAndRead('/words', { word, size: 1 })).toBe(isKey);
      }),
      { numRuns: 60 },
    );
  });
});
