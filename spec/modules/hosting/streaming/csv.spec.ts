import fc from 'fast-check';
import { csvHeader, csvLine } from '../../../../src/modules/hosting/streaming/csv';
import { anyText } from '../../../factories/any-text';

const line = (item: object): string => csvLine(item, Object.keys(item));

/** The fields of a line (RFC 4180): what is between quotes, or between commas. */
function fieldsIn(text: string): readonly string[] {
  const fields = [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)];
  return fields.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}

describe('A line of CSV', () => {
  it('has the values of JSON: texts as they are, objects and lists as JSON', () => {
    expect(line({ a: 1.5, b: true, c: 'x', d: [1, 'y'], e: { f: null } })).toBe(
      '1.5,true,x,"[1,""y""]","{""f"":null}"\r\n',
    );
  });

  it('has dates, and other objects with toJSON, as JSON has them', () => {
    const custom = { toJSON: () => ({ toJSON: () => 'inner' }) };
    expect(line({ at: new Date(0), custom })).toBe('1970-01-01T00:00:00.000Z,inner\r\n');
  });

  it('is empty for null, a missing member, and what is null or missing in JSON; an empty text is quoted', () => {
    expect(line({ a: null, b: undefined, c: NaN, d: -Infinity, e: () => 1, f: '' })).toBe(',,,,,""\r\n');
    expect(csvLine({}, ['a', 'b'])).toBe(',\r\n');
  });

  it('keeps any texts, and names of columns', () => {
    fc.assert(
      fc.property(fc.array(anyText(), { minLength: 1 }), (texts) => {
        const item = Object.fromEntries(texts.map((text, at) => [`c${at}`, text]));
        expect(fieldsIn(line(item).slice(0, -2))).toEqual(texts);
        expect(fieldsIn(csvHeader(texts).slice(0, -2))).toEqual(texts);
      }),
    );
  });
});
