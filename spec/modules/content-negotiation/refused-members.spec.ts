import fc from 'fast-check';
import { countParsedMembers, countWrittenMembers } from '../../../src/framework';
import { parseBody } from '../../../src/modules/content-negotiation/parse-body';
import { Problem } from '../../../src/platform';

const parse = (text: string, depth?: number): unknown =>
  parseBody(Buffer.from(text), 'application/json', depth);

function refusalOf(text: string): Problem {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error(`It was taken: ${text}`);
}

/** A value, written with white space in all places where it may stand. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, ' \t').replace(/("(?:[^"\\]|\\.)*")(:?)/g, '$1\n\r\t $2');
}

describe('a member that comes twice', () => {
  it.each([
    ['{"a":1,"a":2}', '/a'],
    ['{"a" :1,"a":2}', '/a'],
    ['{"a":{"b":[0,{"c":1,"d":":","c":2}]}}', '/a/b/1/c'],
    ['[[],{"a/b":1,"x":"a/b","a/b":1}]', '/1/a~1b'],
    ['{"~":{},"~":{}}', '/~0'],
    ['{"":1,"":1}', '/'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"\\"":1,"b":"\\\\","\\"":2}', '/"'],
    ['{"a":{"a":1},"b":{"a":1,"b":2,"a":3}}', '/b/a'],
  ])('is refused in %s, and its place is named', (text, pointer) => {
    const { status, extensions, detail } = refusalOf(text);
    expect(status).toBe(400);
    expect(extensions.errors).toEqual([{ pointer, message: 'comes twice' }]);
    expect(detail).toContain(`comes twice, at ${pointer}.`);
  });

  it('is found wherever it is put', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), fc.jsonValue(), (value, index, other) => {
        fc.pre(!JSON.stringify([value, other]).includes('__proto__'));
        const names = Object.keys(value);
        const name = names[index % names.length] ?? '';
        const doubled = `${JSON.stringify(value).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(other)}}`;
        const text = `{"list":[{},${doubled}]}`;
        const pointer = `/list/1/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;
        expect(refusalOf(text).extensions.errors).toEqual([{ pointer, message: 'comes twice' }]);
      }),
    );
  });
});

describe('members that come once', () => {
  it('are counted alike as they are written and as they are parsed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const text of [JSON.stringify(value), spaced(value)]) {
          const parsed: unknown = JSON.parse(text);
          fc.pre(!text.includes('__proto__'));
          expect(countWrittenMembers(text)).toBe(countParsedMembers(parsed));
          expect(parse(text)).toEqual(parsed);
        }
      }),
    );
  });

  it('may have the name of a method of every object', () => {
    const text = '{"constructor":{"prototype":1},"hasOwnProperty":2,"toString":":"}';
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('are read in a text that is nested deeper than calls may be, where the configuration allows that', () => {
    const depth = 200_000;
    expect(() => parse('['.repeat(depth) + ']'.repeat(depth), depth)).not.toThrow();
    const names = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    expect(() => parse(names, depth)).not.toThrow();
  });
});
