import fc from 'fast-check';
import { runSync } from '../../../../src/framework/values/steps';
import { SearchEngine } from '../../../../src/modules/documentation/search/search-engine';
import type { IndexedEntry } from '../../../../src/modules/documentation/search/search-entry';
import { searchIndexOf } from '../../../../src/modules/documentation/search/search-index';
import { atlas } from '../../../fixtures/documentation';
import { anyText } from '../../../factories/any-text';

const engineOf = (entries: Iterable<IndexedEntry>): SearchEngine => runSync(SearchEngine.build(entries));

const entryOf = (title: string, at: number): IndexedEntry => ({
  kind: 'operation',
  title,
  within: 'Large v1',
  url: `/x/${at}`,
  text: '',
  method: 'GET',
  path: `/x/${at}`,
  route: `/v1/x/${at}`,
});

const words = fc.constantFrom(
  'create',
  'list',
  'a',
  'the',
  'user',
  'users',
  'repository',
  'für',
  '日本',
  '42',
  'of',
);

describe('the search engine', () => {
  const entries = [...searchIndexOf([atlas], '/platform/documentation')];
  const engine = engineOf(entries);

  it('answers every query', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText({ maxLength: 300 }),
          fc.array(fc.oneof(words, fc.string()), { maxLength: 20 }).map((all) => all.join(' ')),
        ),
        (query) => {
          const { total, results } = engine.find(query, { limit: 5 });
          expect(results.length).toBe(Math.min(total, 5));
        },
      ),
    );
  });

  it.each(['__proto__', 'constructor', 'toString', '*', '"', '\\', '%', '(a+)+$', '\u0000', '/', '//', ':'])(
    'answers the query %j',
    (query) => {
      expect(engine.find(query).total).toBeGreaterThanOrEqual(0);
    },
  );

  it('finds every entry by its own title', () => {
    for (const { title, url } of entries) {
      const urls = engine.find(title, { limit: entries.length }).results.map((one) => one.url);
      expect([title, urls.includes(url)]).toEqual([title, true]);
    }
  });

  it('finds every operation by its own title, whatever the words', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(fc.oneof(words, fc.stringMatching(/^[a-z]{1,12}$/)), { minLength: 1, maxLength: 8 }),
          { minLength: 1, maxLength: 20 },
        ),
        (titles) => {
          const all = titles.map((title, at) => entryOf(title.join(' '), at));
          const many = engineOf(all);
          for (const { title } of all)
            expect(many.find(title, { limit: all.length }).results.map((one) => one.title)).toContain(title);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('tolerates typing errors only in words that are unknown, and never in numbers', () => {
    const small = engineOf(['Get a tissue', 'Get an issue', 'Status 401', 'Status 404'].map(entryOf));
    const titles = (query: string): readonly string[] => small.find(query).results.map(({ title }) => title);
    expect(titles('issue')).toEqual(['Get an issue']);
    expect(titles('isue')).toContain('Get an issue');
    expect(titles('402')).toEqual([]);
    expect(titles('401')).toEqual(['Status 401']);
  });

  it('finds entries with some of the words if none has all of them', () => {
    const small = engineOf(['Create an issue', 'Create a label'].map(entryOf));
    expect(small.find('create zzzzzzz issue').results.map(({ title }) => title)[0]).toBe('Create an issue');
    expect(small.find('create issue').total).toBe(1);
  });

  it('finds words within texts that have no spaces', () => {
    const small = engineOf([
      { ...entryOf('GET /x/0', 0), text: '返回国家列表。' },
      { ...entryOf('GET /x/1', 1), text: 'ユーザーの一覧を返す' },
    ]);
    const urls = (query: string): readonly string[] => small.find(query).results.map(({ url }) => url);
    expect([urls('列表'), urls('一覧'), urls('ユーザー一覧')]).toEqual([['/x/0'], ['/x/1'], ['/x/1']]);
  });

  it('finds words within texts in Thai, Lao, Khmer and Burmese', () => {
    const small = engineOf([
      { ...entryOf('GET /x/0', 0), text: 'ส่งคืนรายการประเทศทั้งหมด' },
      { ...entryOf('GET /x/1', 1), text: 'ສົ່ງຄືນລາຍຊື່ປະເທດທັງໝົດ' },
      { ...entryOf('GET /x/2', 2), text: 'ត្រឡប់បញ្ជីប្រទេសទាំងអស់' },
      { ...entryOf('GET /x/3', 3), text: 'နိုင်ငံများစာရင်းကိုပြန်ပေးသည်' },
    ]);
    const urls = (query: string): readonly string[] => small.find(query).results.map(({ url }) => url);
    expect([urls('ประเทศ'), urls('ປະເທດ'), urls('ប្រទេស'), urls('စာရင်း')]).toEqual([
      ['/x/0'],
      ['/x/1'],
      ['/x/2'],
      ['/x/3'],
    ]);
  });

  it('finds letters and numbers that are parts of words in Japanese and Chinese', () => {
    const small = engineOf([
      entryOf('Get a team', 0),
      { ...entryOf('GET /x/1', 1), text: 'Tシャツの一覧。3日間有効' },
      { ...entryOf('GET /x/2', 2), text: '返回第1页' },
    ]);
    const urls = (query: string): readonly string[] => small.find(query).results.map(({ url }) => url);
    expect([urls('Tシャツ'), urls('3日間'), urls('第1页'), urls('t')]).toEqual([
      ['/x/1'],
      ['/x/1'],
      ['/x/2'],
      ['/x/0'],
    ]);
  });

  it('compares long queries in Chinese as a whole', () => {
    const small = engineOf(['获取用户的所有访问日志', '获取用户的所有访问令牌'].map(entryOf));
    expect(small.find('获取用户的所有访问令牌').results.map(({ title }) => title)).toEqual([
      '获取用户的所有访问令牌',
    ]);
  });

  it('ranks deprecated operations lower', () => {
    const small = engineOf([{ ...entryOf('Get a team', 0), deprecated: true }, entryOf('Get a team', 1)]);
    expect(small.find('get a team').results.map(({ url }) => url)).toEqual(['/x/1', '/x/0']);
  });

  it('limits the length of queries', () => {
    expect(engine.find(`${'x'.repeat(200)} country`).total).toBe(0);
    expect(engine.find('country '.repeat(10_000)).total).toBeGreaterThan(0);
  });

  it('finds entries among 5,000, despite a typing error', () => {
    const names = [
      'repository',
      'branch',
      'commit',
      'review',
      'member',
      'team',
      'secret',
      'runner',
      'release',
    ];
    const word = (at: number): string => `${names[at % names.length] ?? ''} ${at % 97}`;
    const many = engineOf(
      Array.from({ length: 5000 }, (_, at) => ({
        ...entryOf(`Show ${word(at)} of ${word(at * 7)}`, at),
        names: `${word(at * 3)} ${word(at * 5)}`,
        text: `Shows the ${word(at * 11)} of a ${word(at * 13)}`,
      })),
    );
    // The time is measured by a benchmark; test machines have other work too.
    for (const query of ['r', 're', 'rep', 'repostory', 'branch runner', 'comit branch'])
      expect([query, many.find(query).total > 0]).toEqual([query, true]);
  });
});
