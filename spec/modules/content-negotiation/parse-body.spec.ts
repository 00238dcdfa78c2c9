import fc from 'fast-check';
import { parseBody } from '../../../src/modules/content-negotiation/parse-body';
import { Problem } from '../../../src/platform';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const parse = (text: string, type = JSON_TYPE): unknown => parseBody(Buffer.from(text), type);
const statusOf = (action: () => unknown): number => {
  try {
    action();
  } catch (error) {
    if (error instanceof Problem) return error.status;
    throw error;
  }
  return 200;
};

describe('parseBody with JSON', () => {
  it('reads whatever JSON.stringify writes', () => {
    fc.assert(
      // JSON.stringify writes minus zero as 0.
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('returns a value or throws a 400 for any text', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect([200, 400]).toContain(statusOf(() => parseBody(Buffer.from(bytes), JSON_TYPE)));
      }),
    );
  });

  it('returns undefined for an empty body and for white space', () => {
    expect(parse('')).toBeUndefined();
    expect(parse(' \r\n\t')).toBeUndefined();
  });

  it('skips a byte order mark', () => {
    expect(parse('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  it.each(['{', '{"a":1,}', "{'a':1}", 'NaN', '01', '"\u0001"', '{"a":1}{"b":2}', '// a\n{}', '"\\ud83x"'])(
    'rejects %j with 400',
    (text) => {
      expect(statusOf(() => parse(text))).toBe(400);
    },
  );

  it.each([
    ['1e400', ''],
    [`{"a":${'9'.repeat(310)}}`, '/a'],
    [`[${'1'.repeat(215)}e95]`, '/0'],
    [`[1,"${'9'.repeat(400)}",-${'9'.repeat(309)}.5e+00]`, '/2'],
    ['{"a":"1e400\\"","b":[0,{"c/d":-1.5E+309}]}', '/b/1/c~1d'],
  ])('rejects an infinite number, and names it: %s', (text, pointer) => {
    const refused = (() => {
      try {
        return parse(text);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toMatchObject({
      status: 400,
      extensions: { errors: [{ pointer, message: 'is beyond the range of numbers (IEEE 754)' }] },
    });
  });

  it.each([
    '{"1e400":"1e400"}',
    '[1e308,1.7976931348623157e+308,1e-400,0e999]',
    `[${'9'.repeat(308)},0.${'9'.repeat(400)},1e-${'9'.repeat(400)},1]`,
  ])('reads %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '{"__proto__":{"isAdmin":true}}',
    '{"a":[{"__proto__":null}]}',
    '{"\\u005f_proto__":{"isAdmin":true}}',
    '{"__\\u0070roto__":{"isAdmin":true}}',
    '{"\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":1}',
  ])('rejects a member named __proto__, however it is escaped: %s', (text) => {
    expect(() => parse(text)).toThrow('a member must not be named "__proto__"');
    expect(statusOf(() => parse(text))).toBe(400);
  });

  it('accepts "__proto__" as a value, and other escaped names', () => {
    expect(parse('{"name":"__proto__","caf\\u00e9":"\\u0041"}')).toEqual({ name: '__proto__', café: 'A' });
  });

  it('rejects bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('"'), Buffer.from([0xe9]), Buffer.from('"')]);
    expect(statusOf(() => parseBody(bytes, JSON_TYPE))).toBe(400);
  });

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF8',
    'application/json; charset="utf-8"',
  ])('accepts %s', (type) => {
    expect(parse('"é"', type)).toBe('é');
  });

  it.each(['application/json; charset=iso-8859-1', 'application/json; charset=utf-16'])(
    'rejects %s with 415',
    (type) => {
      expect(statusOf(() => parse('{}', type))).toBe(415);
    },
  );
});

describe('parseBody with forms', () => {
  it('reads what URLSearchParams writes, with repeated names as a list', () => {
    expect(parse('a=1&b=two+words&b=%C3%A9&c=', FORM)).toEqual({ a: '1', b: ['two words', 'é'], c: '' });
  });

  it('returns all values of each name', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (form) => {
        fc.pre(!Object.hasOwn(form, '__proto__'));
        const text = new URLSearchParams(form).toString();
        // Compare with what URLSearchParams can encode: a lone surrogate, for example, is replaced.
        const expected = Object.fromEntries(new URLSearchParams(text));
        expect(parse(text, FORM) ?? {}).toEqual(expected);
      }),
    );
  });

  it.each(['name=caf%E9', 'caf%e9=1', 'name=%c3', 'name=%c3x%a9', 'name=%ed%a0%80'])(
    'rejects %s with 400: its bytes are not UTF-8',
    (text) => {
      expect(statusOf(() => parse(text, FORM))).toBe(400);
    },
  );

  it('reads a percent sign that encodes nothing, and any character', () => {
    const form = 'share=100%&of=%C3%A9%zz%41&mark=%EF%BF%BD&sign=%25%C3%A9';
    expect(parse(form, FORM)).toEqual({ share: '100%', of: 'é%zzA', mark: '\u{fffd}', sign: '%é' });
  });

  it('rejects a name that would be a prototype', () => {
    expect(statusOf(() => parse('__proto__=1', FORM))).toBe(400);
    expect(statusOf(() => parse('%5f_proto__=1', FORM))).toBe(400);
  });
});

describe('parseBody with HAL', () => {
  const HAL = 'application/hal+json';

  it('drops links, and makes embedded resources members', () => {
    const text =
      '{"id":"5","_links":{"self":{"href":"/5"}},"_embedded":{"owner":{"name":"Ada","_embedded":{"pets":[]}}}}';
    expect(parse(text, HAL)).toEqual({ id: '5', owner: { name: 'Ada', pets: [] } });
  });

  it.each([
    ['{"id":"5","name":"x","_embedded":{"name":"other"}}', '/_embedded/name'],
    ['{"_embedded":{"pets":[{},{"a/b":1,"_embedded":{"a/b":2}}]}}', '/_embedded/pets/1/_embedded/a~1b'],
    ['[{"_embedded":{"toString":{"a":1,"_embedded":{"a":2}}}}]', '/0/_embedded/toString/_embedded/a'],
  ])('rejects an embedded resource with the name of a member: %s', (text, pointer) => {
    let error: unknown;
    try {
      parse(text, HAL);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      status: 400,
      extensions: { errors: [{ pointer, message: 'is a duplicate' }] },
    });
  });
});
