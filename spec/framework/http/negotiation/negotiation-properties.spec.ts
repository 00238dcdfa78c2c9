import fc from 'fast-check';
import path from 'node:path';
import { explainNegotiation, negotiate, Negotiator } from '../../../../src/framework';
import { parseAccept } from '../../../../src/framework/http/negotiation/accept';
import { runMemoryScript } from '../../../factories/measure/memory-script';
import { anyText } from '../../../factories/any-text';

const type = fc.constantFrom('text', 'application', 'image');
const subtype = fc.constantFrom('html', 'json', 'hal+json', 'png');
const offer = fc.tuple(type, subtype).map((parts) => parts.join('/'));
const offers = fc.uniqueArray(offer, { maxLength: 6 });
const range = fc.oneof(
  offer,
  type.map((name) => `${name}/*`),
  fc.constantFrom('*/*', 'application/*+json'),
);
const weight = fc.integer({ min: 1, max: 1000 }).map((thousandths) => (thousandths / 1000).toFixed(3));
const accept = fc
  .array(fc.tuple(range, weight), { minLength: 1, maxLength: 6 })
  .map((ranges) => ranges.map(([name, q]) => `${name};q=${q}`).join(', '));

describe('Negotiation, for any field', () => {
  it('returns one of the offers or undefined, and never throws', () => {
    const texts = fc.oneof(
      anyText(),
      fc.string({
        unit: fc.constantFrom('*', '/', ';', ',', 'q', '=', '0', '1', '.', '"', '\\', ' ', 'a', '+'),
      }),
      accept,
    );
    fc.assert(
      fc.property(texts, offers, (text, among) => {
        expect([...among, undefined]).toContain(negotiate(text, among));
      }),
      { numRuns: 1_000 },
    );
  });

  it('ignores empty list elements', () => {
    const empty = fc.string({ unit: fc.constantFrom(',', ' ', '\t'), maxLength: 40 });
    fc.assert(
      fc.property(empty, offers, (nothing, among) => {
        expect(negotiate(nothing, among)).toBe(negotiate('', among));
        expect(explainNegotiation(nothing, among)).toEqual(explainNegotiation('', among));
      }),
    );
    fc.assert(
      fc.property(empty, empty, accept, offers, (before, after, text, among) => {
        expect(negotiate(`${before},${text},${after}`, among)).toBe(negotiate(text, among));
      }),
    );
  });

  it('ignores case', () => {
    fc.assert(
      fc.property(accept, offers, (text, among) => {
        expect(negotiate(text.toUpperCase(), among)).toBe(negotiate(text, among));
      }),
    );
  });

  it('never chooses a type with weight 0', () => {
    fc.assert(
      fc.property(accept, offers, offer, (text, among, excluded) => {
        const others = text.split(', ').filter((part) => !part.startsWith(`${excluded};`));
        expect(negotiate([...others, `${excluded};q=0`].join(', '), among)).not.toBe(excluded);
      }),
    );
  });

  it('always chooses an offer if the field contains */*', () => {
    fc.assert(
      fc.property(accept, offers, (text, among) => {
        expect(negotiate(`${text}, */*;q=0.001`, among) === undefined).toBe(among.length === 0);
      }),
    );
  });

  it('prefers a type with weight 1 to a wildcard with a lower weight', () => {
    fc.assert(
      fc.property(offers, offer, (among, preferred) => {
        expect(negotiate(`*/*;q=0.9, ${preferred}`, [...among, preferred])).toBe(preferred);
      }),
    );
  });

  it('accepts a single offer exactly if its most specific range has a weight above 0', () => {
    fc.assert(
      fc.property(fc.constantFrom('0', '0.5', '1'), fc.constantFrom('0', '0.5', '1'), (all, exact) => {
        const chosen = negotiate(`text/html;q=${exact}, */*;q=${all}`, ['text/html']);
        expect(chosen).toBe(exact === '0' ? undefined : 'text/html');
      }),
    );
  });
});

describe('The ranges of an Accept field', () => {
  it('are parsed with their weights; malformed ones are skipped', () => {
    const ranges = parseAccept('text/html;level=1;q=0.5, nonsense, */*');
    expect(ranges).toEqual([
      { type: 'text', subtype: 'html', parameters: new Map([['level', '1']]), quality: 0.5 },
      { type: '*', subtype: '*', parameters: new Map(), quality: 1 },
    ]);
  });
});

describe('A negotiator', () => {
  it('decides like negotiate(), the first time and later', () => {
    fc.assert(
      fc.property(
        offers,
        fc.array(fc.option(accept, { nil: undefined }), { maxLength: 12 }),
        (among, fields) => {
          const negotiator = new Negotiator(among, 3);
          for (const field of [...fields, ...fields]) {
            expect(negotiator.choose(field)).toBe(negotiate(field, among));
          }
        },
      ),
    );
  });

  it('has a bounded cache', async () => {
    const { kept } = await runMemoryScript(path.join(__dirname, 'negotiator-memory.mjs'));
    // An unbounded cache would take more than 8 MB.
    expect(kept).toBeLessThan(2_000_000);
  });
});
