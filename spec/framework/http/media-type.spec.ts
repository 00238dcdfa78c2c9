import fc from 'fast-check';
import { essence, parseMediaType } from '../../../src/framework';
import { splitOutsideQuotes } from '../../../src/framework/http/media-type';
import { anyText } from '../../factories/any-text';

describe('A media type', () => {
  it('has type and subtype in lower case, and parameters', () => {
    const media = parseMediaType('Application/JSON; Charset=UTF-8 ;a="x;\\"y"');
    expect(media).toEqual({
      type: 'application',
      subtype: 'json',
      parameters: new Map([
        ['charset', 'UTF-8'],
        ['a', 'x;"y'],
      ]),
    });
  });

  it('has an essence without parameters', () => {
    const media = parseMediaType('text/html; charset=utf-8');
    expect(media && essence(media)).toBe('text/html');
  });

  it.each(['*/*', 'text/*', 'application/*+json', 'application/vnd.a.v1+json', 'x/y;', 'x/y;;a=1'])(
    'can be %s',
    (text) => {
      expect(parseMediaType(text)).toBeDefined();
    },
  );

  it.each([
    '',
    'text',
    '/',
    'text/',
    '/html',
    'text/html/x',
    'text html',
    'te xt/html',
    '*/html',
    'text/html;a',
    'text/html;a=',
    'text/html;=b',
    'text/html;a="b',
    'text/html;a="b"c',
    'text/html;a=b"c"',
    'text/html;a b=c',
    'text/ht\u00e4ml',
  ])('cannot be %j', (text) => {
    expect(parseMediaType(text)).toBeUndefined();
  });

  it('is parsed or undefined for arbitrary strings', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const media = parseMediaType(text);
        if (media !== undefined) expect(essence(media)).toMatch(/^[^\s/;,]+\/[^\s/;,]+$/);
      }),
    );
  });

  it('unquotes its parameters', () => {
    const quote = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;
    fc.assert(
      fc.property(anyText(), (value) => {
        expect(parseMediaType(`x/y;a=${quote(value)};b=1`)?.parameters).toEqual(
          new Map([
            ['a', value],
            ['b', '1'],
          ]),
        );
      }),
    );
  });
});

describe('Splitting outside of quoted strings', () => {
  it('keeps delimiters inside quotes, with quoted pairs', () => {
    expect(splitOutsideQuotes('a, b="1,2", c="\\",", d', ',')).toEqual(['a', ' b="1,2"', ' c="\\","', ' d']);
  });

  it('loses nothing', () => {
    const texts = fc.string({ unit: fc.constantFrom(',', '"', '\\', 'a', ' ') });
    fc.assert(fc.property(texts, (text) => expect(splitOutsideQuotes(text, ',').join(',')).toBe(text)));
  });
});
