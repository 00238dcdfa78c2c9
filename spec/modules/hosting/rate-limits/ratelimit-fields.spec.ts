import fc from 'fast-check';
import { describeLimit } from '../../../../src/modules/hosting/rate-limits/describe-limit';
import {
  policyField,
  quotaItem,
  sfString,
} from '../../../../src/modules/hosting/rate-limits/ratelimit-fields';
import { anyText } from '../../../factories/any-text';

/** A List of Strings with Integer parameters (RFC 9651, 3.1), as a strict client parses it. */
function parseList(field: string): readonly (readonly [text: string, Readonly<Record<string, number>>])[] {
  const items: (readonly [string, Readonly<Record<string, number>>])[] = [];
  const item = /"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"((?:;[a-z*][a-z0-9_.*-]*=-?\d{1,15})*)(, |$)/y;
  while (item.lastIndex < field.length) {
    const at = item.lastIndex;
    const match = item.exec(field);
    if (match === null) throw new Error(`Not a list at ${at}: ${field}`);
    const [, text = '', parameters = ''] = match;
    const pairs = parameters
      .split(';')
      .filter(Boolean)
      .map((pair) => pair.split('='));
    items.push([
      text.replace(/\\(.)/g, '$1'),
      Object.fromEntries(pairs.map(([name = '', value]) => [name, Number(value)])),
    ]);
  }
  return items;
}

const name = fc.oneof(fc.string({ minLength: 1 }), anyText({ minLength: 1 }));

describe('The fields of rate limits', () => {
  it('are lists of structured fields, for any names', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            name,
            limit: fc.integer({ min: 1, max: 1e9 }),
            window: fc.integer({ min: 1, max: 2_678_400 }),
          }),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        (policies) => {
          const parsed = parseList(policyField(policies));
          expect(parsed.map(([, parameters]) => parameters)).toEqual(
            policies.map(({ limit, window }) => ({ q: limit, w: window })),
          );
          for (const [at, [text]] of parsed.entries()) {
            const original = policies[at]?.name ?? '';
            if (/^[\x20-\x7e]*$/.test(original)) expect(text).toBe(original);
          }
        },
      ),
    );
  });

  it('have whole numbers', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.double({ min: 0, max: 1e9, noNaN: true }), (remaining, reset) => {
        const [[text, { r, t }] = ['', {}]] = parseList(quotaItem(sfString('a'), { remaining, reset }));
        expect([text, r, t]).toEqual(['a', remaining, Math.ceil(reset / 1_000)]);
      }),
    );
  });

  it('percent-encode what a String cannot contain', () => {
    expect(sfString('A"\\ü\n\ud800')).toBe('"A\\"\\\\%C3%BC%0A%EF%BF%BD"');
  });
});

describe('A limit', () => {
  it.each([
    [{ limit: 100, window: 60, per: 'user' }, '100 requests per minute per user'],
    [{ limit: 1, window: 90, per: 'address' }, '1 request per 90 seconds per address'],
    [{ limit: 5, window: 7_200, per: 'all' }, '5 requests per 2 hours for all clients together'],
    [{ limit: 5, window: 86_400, per: 'user' }, '5 requests per day per user'],
    [{ limit: 5, window: 1, per: 'user' }, '5 requests per second per user'],
  ] as const)('%j is described as "%s"', (limit, text) => {
    expect(describeLimit(limit)).toBe(text);
  });
});
