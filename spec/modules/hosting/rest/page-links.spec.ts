import fc from 'fast-check';
import { linkField, pageNumberLinks } from '../../../../src/modules/hosting/rest/page-links';
import { urlText } from '../../../factories/http/any-url';

const name = fc.oneof(
  fc.constantFrom('page', 'page_size', 'homepage', 'a&page=', 'page='),
  fc.string({ maxLength: 6 }),
);
const queries = fc
  .array(fc.tuple(name, fc.string({ maxLength: 8 })), { maxLength: 5 })
  .map((pairs) => new URLSearchParams(pairs));

/** The URL of a page, assembled with URLSearchParams alone. */
function expectedUrl(query: URLSearchParams, page?: number): string {
  const search = new URLSearchParams(query);
  if (page === undefined) search.delete('page');
  else search.set('page', String(page));
  return search.size === 0 ? '/items' : `/items?${search}`;
}

describe('The links of a numbered page', () => {
  it('keep the other parameters of any query, and the position of the page number', () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(pageNumberLinks('/items', query.toString(), 3, 9)).toEqual({
          first: expectedUrl(query),
          prev: expectedUrl(query, 2),
          next: expectedUrl(query, 4),
          last: expectedUrl(query, 9),
        });
      }),
    );
  });

  it('keep the other parameters of queries in any notation', () => {
    const part = fc.oneof(fc.constantFrom('page', 'a', '%41', '+', '%2f', 'é', '~', ''), urlText('/?&'));
    const notation = fc
      .array(fc.tuple(part, fc.constantFrom('=', ''), part), { maxLength: 4 })
      .map((pairs) => pairs.map((pair) => pair.join('')).join('&'));
    fc.assert(
      fc.property(notation, (text) => {
        const query = new URLSearchParams(text);
        expect(pageNumberLinks('/items', text, 3, 9)).toEqual({
          first: expectedUrl(query),
          prev: expectedUrl(query, 2),
          next: expectedUrl(query, 4),
          last: expectedUrl(query, 9),
        });
      }),
    );
  });

  it('end where the URL does, whatever was requested', () => {
    expect(linkField(pageNumberLinks('/a>b/items', 'q=>&page=1', 1, 2))).toBe(
      '</a%3Eb/items?q=%3E>; rel="first", </a%3Eb/items?q=%3E&page=2>; rel="next", </a%3Eb/items?q=%3E&page=2>; rel="last"',
    );
  });

  it('are sent in one field, separated by commas', () => {
    expect(linkField(pageNumberLinks('/items', 'a=1&page=2', 2, 2))).toBe(
      '</items?a=1>; rel="first", </items?a=1&page=1>; rel="prev", </items?a=1&page=2>; rel="last"',
    );
  });
});
