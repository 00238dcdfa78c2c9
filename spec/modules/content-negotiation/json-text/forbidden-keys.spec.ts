import fc from 'fast-check';
import { countWrittenMembers, inspectParsed } from '../../../../src/framework';
import { parseBody } from '../../../../src/modules/content-negotiation/parse-body';
import { Problem } from '../../../../src/platform';

const parse = (text: string, depth?: number): unknown =>
  parseBody(Buffer.from(text), 'application/json', { depth, members: Infinity });

function problemOf(text: string): Problem {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error(`It was taken: ${text}`);
}

/** Serializes a value with white space wherever JSON allows it. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, ' \t').replace(/("(?:[^"\\]|\\.)*")(:?)/g, '$1\n\r\t $2');
}

describe('a duplicate member', () => {
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
  ])('is rejected in %s, with its JSON Pointer', (text, pointer) => {
    const { status, extensions, detail } = problemOf(text);
    expect(status).toBe(400);
    expect(extensions.errors).toEqual([{ pointer, message: 'is a duplicate' }]);
    expect(detail).toContain(`is a duplicate, at ${pointer}.`);
  });

  it('is found after a name and a text of ten megabytes', () => {
    const long = '\\"'.repeat(5_000_000) + 'a'.repeat(5_000_000);
    const text = `{"t":"${long}","${long}":0,"a":1,"a":2}`;
    expect(problemOf(text).extensions.errors).toEqual([{ pointer: '/a', message: 'is a duplicate' }]);
  });

  it('is found at any position', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), fc.jsonValue(), (value, index, other) => {
        fc.pre(!JSON.stringify([value, other]).includes('__proto__'));
        const names = Object.keys(value);
        const name = names[index % names.length] ?? '';
        const doubled = `${JSON.stringify(value).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(other)}}`;
        const text = `{"list":[{},${doubled}]}`;
        const pointer = `/list/1/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;
        expect(problemOf(text).extensions.errors).toEqual([{ pointer, message: 'is a duplicate' }]);
      }),
    );
  });
});

describe('unique members', () => {
  it('have the same count in the text and in the parsed value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const text of [JSON.stringify(value), spaced(value)]) {
          const parsed: unknown = JSON.parse(text);
          fc.pre(!text.includes('__proto__'));
          expect(countWrittenMembers(text)).toBe(inspectParsed(parsed).members);
          expect(parse(text)).toEqual(parsed);
        }
      }),
    );
  });

  it('may be named like a method of Object.prototype', () => {
    const text = '{"constructor":{"prototype":1},"hasOwnProperty":2,"toString":":"}';
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('are counted without recursion, in texts nested deeper than the call stack', () => {
    const depth = 200_000;
    expect(() => parse('['.repeat(depth) + ']'.repeat(depth), depth)).not.toThrow();
    const names = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    expect(() => parse(names, depth)).not.toThrow();
  });
});
