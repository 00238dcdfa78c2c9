import accepts from 'accepts';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { negotiate } from '../../../../src/framework';
import { parseAccept } from '../../../../src/framework/http/negotiation/accept';
import { normalizeAccept } from '../../../../src/framework/http/negotiation/normalize-accept';

const HTML = 'text/html';
const JSON_TYPE = 'application/json';
const HAL = 'application/hal+json';

const normalized = (accept: string, offers: readonly string[]): string =>
  normalizeAccept(parseAccept(accept), offers);

describe('A normalized Accept field', () => {
  it.each([
    ['text/html, application/json;q=0.5', [HTML, JSON_TYPE], 'text/html;q=1, application/json;q=0.5'],
    ['text/html;level=1;q=0.3', [HTML], 'text/html;q=0.3'],
    ['text/*;level=1, */*;v=2;q=0.1', [HTML, JSON_TYPE], 'text/*;q=1, */*;q=0.1'],
    [
      'application/*+json;q=0.5',
      [HTML, JSON_TYPE, HAL],
      'application/json;q=0.5, application/hal+json;q=0.5',
    ],
    [
      'application/*+json, application/json;q=0',
      [JSON_TYPE, HAL],
      'application/json;q=0, application/hal+json;q=1',
    ],
    ['text/html;level=2', ['text/html;level=1', 'text/html;level=2'], 'text/html;level=2;q=1'],
    ['text/html;q=0.2, TEXT/HTML;q=0.9', [HTML], 'text/html;q=0.2'],
    ['image/png, nonsense', [HTML], ''],
  ] as const)('of %j for the offers %j is %j', (accept, offers, field) => {
    expect(normalized(accept, offers)).toBe(field);
  });

  it('leads accepts to the decision of negotiate()', () => {
    const offer = fc.constantFrom(HTML, JSON_TYPE, HAL, 'text/html;level=1', 'image/png');
    const range = fc.constantFrom(
      '*/*',
      'text/*',
      'application/*+json',
      'text/html;level=1',
      HTML,
      JSON_TYPE,
      HAL,
    );
    const weight = fc.constantFrom('', ';q=0', ';q=0.5', ';q=0.001');
    const field = fc
      .array(fc.tuple(range, weight), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.map((part) => part.join('')).join(', '));
    fc.assert(
      fc.property(field, fc.uniqueArray(offer, { minLength: 1 }), (accept, offers) => {
        const text = normalized(accept, offers);
        const request = { headers: { accept: text } } as unknown as IncomingMessage;
        const decided = text === '' ? false : accepts(request).type(offers);
        expect(negotiate(accept, offers)).toBe(decided === false ? undefined : decided);
      }),
      { numRuns: 1_000 },
    );
  });

  it('decides like the original field if accepts supports that', () => {
    const offer = fc.constantFrom(HTML, JSON_TYPE, HAL, 'image/png');
    const range = fc.constantFrom('*/*', 'text/*', 'application/*', HTML, JSON_TYPE, HAL);
    const weight = fc.constantFrom(';q=0', ';q=0.5', ';q=0.75', ';q=1');
    const field = fc
      .uniqueArray(fc.tuple(range, weight), { minLength: 1, selector: ([name]) => name })
      .map((parts) => parts.map((part) => part.join('')).join(', '));
    fc.assert(
      fc.property(field, fc.uniqueArray(offer, { minLength: 1 }), (accept, offers) => {
        const request = { headers: { accept } } as unknown as IncomingMessage;
        const decided = accepts(request).type(offers);
        expect(negotiate(accept, offers)).toBe(decided === false ? undefined : decided);
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not match a range with removed parameters to offers that contradict it', () => {
    const offers = ['text/html;level=1', HTML];
    expect(negotiate('text/html;level=2', offers)).toBe(HTML);
    expect(negotiate('text/html;level=2;q=0.1, */*;q=0.5', offers)).toBe('text/html;level=1');
  });
});
