import fc from 'fast-check';
import {
  indexTerms,
  indexWords,
  marksOf,
  queryTerms,
  titleWords,
} from '../../../../src/modules/documentation/search/words';

describe('words of the search', () => {
  it('are the parts of compound names, which are indexed as a whole too', () => {
    expect(indexWords('Lists officialName of `country_code`, HTTPServer')).toEqual(
      'Lists|officialName|official|Name|of|country_code|country|code|HTTPServer|HTTP|Server'.split('|'),
    );
  });

  it('ignore case, accents and the plural, and include the long form of abbreviations', () => {
    expect(indexTerms('Issues')).toEqual(['issue']);
    expect(indexTerms('repositories')).toEqual(indexTerms('Repository'));
    expect(indexTerms('repos')).toEqual(['repo', 'repository']);
    expect(indexTerms('status')).toEqual(['status']);
    expect(indexWords('Zürich')).toEqual(indexWords('Zurich'));
  });

  it('are the characters of Chinese, and the parts of Japanese in different scripts', () => {
    expect(indexWords('国家列表 v2')).toEqual(['国', '家', '列', '表', 'v2']);
    expect(indexWords('ユーザーのAPI一覧')).toEqual(
      ['ユーザー', 'の', 'API', '一', '覧'].map((word) => word.normalize('NFKD').replace(/\p{M}/gu, '')),
    );
    expect(indexWords('ﾕｰｻﾞｰ ﾊﾟ')).toEqual(indexWords('ユーザー パ'));
    expect(marksOf('取得国家列表', new Set(['列', '表']))).toEqual([
      [4, 5],
      [5, 6],
    ]);
  });

  it('are those of a dictionary in Thai, with its vowels and tones', () => {
    expect(indexWords('รายการประเทศ API')).toEqual(['รายการ', 'ประเทศ', 'API']);
    expect(marksOf('รายการประเทศ', new Set(['ประเทศ']))).toEqual([[6, 12]]);
    expect(queryTerms('ประเทศทั้งหมด').length).toBeGreaterThan(1);
  });

  it('of a query omit stop words, unless there is nothing else', () => {
    expect(queryTerms('How do I create an issue?')).toEqual([['create'], ['issue']]);
    expect(queryTerms('the')).toEqual([['the']]);
    expect(queryTerms('branches')).toEqual([['branche', 'branch']]);
    expect(queryTerms('creating')).toEqual([['creating', 'creat', 'create']]);
    expect(queryTerms(' ')).toEqual([]);
  });

  it('of a query are eight at most, of which each has the room of five characters in Chinese and Japanese', () => {
    expect(queryTerms('x '.repeat(20))).toHaveLength(8);
    expect(queryTerms('列'.repeat(99))).toHaveLength(40);
    expect(queryTerms(`${'x '.repeat(7)}${'列'.repeat(99)}`)).toHaveLength(12);
    expect(queryTerms('ユ'.repeat(99))).toEqual([['ユ'.repeat(40)]]);
  });

  it('of a title end a phrase before a stop word and at the end', () => {
    expect(titleWords('Create a repository for the user')).toEqual([
      { term: 'create', endsPhrase: true },
      { term: 'repository', endsPhrase: true },
      { term: 'user', endsPhrase: true },
    ]);
    expect(titleWords('Create repository rulesets').map(({ endsPhrase }) => endsPhrase)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('are found again for every text, at ascending positions within it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const terms = new Set(indexWords(text).flatMap(indexTerms));
        const marks = marksOf(text, terms);
        expect(marks.length).toBe(indexWords(text).length === 0 ? marks.length : Math.max(1, marks.length));
        let last = 0;
        for (const [start, end] of marks) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
