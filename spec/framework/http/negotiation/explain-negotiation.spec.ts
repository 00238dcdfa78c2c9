import fc from 'fast-check';
import { explainNegotiation, negotiate } from '../../../../src/framework';
import { anyText } from '../../../factories/any-text';

const JSON_TYPE = 'application/json';
const HTML = 'text/html';
const VENDOR = 'application/vnd.apidesc+json';
const DOCS = [JSON_TYPE, HTML, VENDOR];

describe('explainNegotiation()', () => {
  it('always agrees with negotiate()', () => {
    const word = fc.constantFrom(
      ...['*/*', 'text/*', HTML, 'TEXT/HTML', 'text/html;level=1', JSON_TYPE, 'application/*+json', VENDOR],
      ...['nonsense', '', 'application/json;charset=utf-8', '*;q=.2', 'text/html;level=2'],
    );
    const weight = fc.constantFrom('', ';q=0', ';q=0.5', ';q=0.50', ';q=1', ';q=.2', ';q=high', ';q=1e-7');
    const field = fc
      .array(fc.tuple(word, weight), { maxLength: 7 })
      .map((parts) => parts.map((part) => part.join('')).join(','));
    const anything = fc.oneof(
      field,
      anyText(),
      fc.string({ unit: fc.constantFrom('*', '/', ';', ',', 'q', '=', '0', '.', '"', '\\', ' ', 'a', '+') }),
      fc.constant(undefined),
    );
    const offer = fc.constantFrom(
      ...[JSON_TYPE, HTML, VENDOR, 'text/html;level=1', 'Text/Html', 'application/hal+json', 'broken'],
    );
    fc.assert(
      fc.property(anything, fc.array(offer, { maxLength: 6 }), (accept, offers) => {
        const explained = explainNegotiation(accept, offers);
        expect(explained.chosen).toBe(negotiate(accept, offers));
        expect(explained.offers.map(({ mediaType }) => mediaType)).toEqual(offers);
        expect(explained.offers.find(({ rank }) => rank === 1)?.mediaType).toBe(explained.chosen);
      }),
      { numRuns: 3_000 },
    );
  });

  it('names the deciding criterion: the weight of the most specific range, then specificity, then order', () => {
    const { offers, chosen } = explainNegotiation('text/*;q=0.5, application/json;q=0.5, */*;q=0.5', DOCS);
    expect(chosen).toBe(JSON_TYPE);
    expect(offers.map(({ rank, behindBy }) => [rank, behindBy])).toEqual([
      [1, undefined],
      [2, 'specificity'],
      [3, 'specificity'],
    ]);
    expect(offers[0]?.matches).toEqual([
      { range: 'application/json;q=0.5', quality: 0.5, specificity: 'exact' },
      { range: '*/*;q=0.5', quality: 0.5, specificity: 'any' },
    ]);
    const byOrder = explainNegotiation(`${VENDOR}, ${HTML}`, DOCS).offers;
    expect(byOrder.map(({ rank, behindBy }) => [rank, behindBy])).toEqual([
      [undefined, undefined],
      [2, 'range-order'],
      [1, undefined],
    ]);
    expect(explainNegotiation('*/*', DOCS).offers[1]).toMatchObject({ rank: 2, behindBy: 'offer-order' });
    const three = explainNegotiation(`${VENDOR}, ${HTML}, ${JSON_TYPE};q=0.5`, DOCS).offers;
    expect(three.map(({ rank, behindBy }) => [rank, behindBy])).toEqual([
      [3, 'weight'],
      [2, 'range-order'],
      [1, undefined],
    ]);
    expect(explainNegotiation(`${HTML}, */*;q=0.1`, DOCS).offers[0]).toMatchObject({
      rank: 2,
      behindBy: 'weight',
    });
  });

  it('explains rejected offers, unmatched offers and malformed ranges', () => {
    const { basis, ranges, offers, chosen } = explainNegotiation(
      'nonsense, , text/html;q=0, image/png',
      DOCS,
    );
    expect(basis).toBe('ranges');
    expect(ranges).toEqual([
      { text: 'nonsense', quality: undefined },
      { text: 'text/html;q=0', quality: 0 },
      { text: 'image/png', quality: 1 },
    ]);
    expect(offers.map(({ quality, rank }) => [quality, rank])).toEqual([
      [undefined, undefined],
      [0, undefined],
      [undefined, undefined],
    ]);
    expect(offers.map(({ matches, behindBy }) => [matches[0]?.range, behindBy])).toEqual([
      [undefined, undefined],
      ['text/html;q=0', undefined],
      [undefined, undefined],
    ]);
    expect(chosen).toBeUndefined();
    expect(explainNegotiation('nonsense', DOCS)).toMatchObject({ basis: 'malformed', chosen: undefined });
    const any = explainNegotiation('', DOCS);
    expect(any).toMatchObject({ basis: 'no-ranges', chosen: JSON_TYPE });
    expect(any.offers.map(({ rank, behindBy }) => [rank, behindBy])).toEqual([
      [1, undefined],
      [2, 'offer-order'],
      [3, 'offer-order'],
    ]);
  });
});
