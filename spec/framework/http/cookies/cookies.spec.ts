import fc from 'fast-check';
import { Cookies } from '../../../../src/framework/http/cookies/cookies';
import { parseCookies } from '../../../../src/framework/http/cookies/parse-cookies';
import { serializeCookie, type CookieOptions } from '../../../../src/framework/http/cookies/serialize-cookie';
import { anyText } from '../../../factories/any-text';
import { makeMvcEvent } from '../../../factories/mvc-event';

const octets = (from: string): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...Array.from(from)), { maxLength: 40 }).map((parts) => parts.join(''));
const name = octets("abcXYZ019!#$%&'*+-.^_`|~").filter((text) => text !== '');
const value = octets("abcXYZ019!#$%&'()*+-./:<=>?@[]^_`{|}~");

describe('the parser of cookies', () => {
  it('keeps the values of a name in order, without decoding them', () => {
    const cookies = parseCookies('a=1; b=x%20y;a = 2 ;c=d=e; =f; g; h=');
    expect(Object.fromEntries(cookies)).toEqual({ a: ['1', '2'], b: ['x%20y'], c: ['d=e'], h: [''] });
    expect(parseCookies(undefined).size).toBe(0);
    expect(parseCookies('__proto__=x; constructor=y').get('__proto__')).toEqual(['x']);
  });

  it('reads what the serializer writes, whatever else the field has', () => {
    fc.assert(
      fc.property(name, value, fc.string(), (key, content, other) => {
        const [pair = ''] = serializeCookie(`x${key}`, content).split(';');
        const noise = other.replaceAll(`x${key}`, '');
        expect(parseCookies(`${noise};${pair};${noise}`).get(`x${key}`)).toEqual([content]);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(anyText(), (field) => void parseCookies(field)));
  });
});

describe('the serializer of cookies', () => {
  it('protects a cookie by default', () => {
    expect(serializeCookie('id', 'a1')).toBe('id=a1; Path=/; HttpOnly; SameSite=Lax; Secure');
  });

  it('writes all attributes', () => {
    const options: CookieOptions = {
      path: '/app',
      domain: 'example.com',
      httpOnly: false,
      sameSite: 'None',
      partitioned: true,
      maxAge: 60,
    };
    expect(serializeCookie('id', 'a1', options)).toBe(
      'id=a1; Path=/app; Domain=example.com; SameSite=None; Secure; Partitioned; Max-Age=60',
    );
  });

  it('writes the lowest and highest values, and prefixes', () => {
    const longest = 'x'.repeat(4_095);
    expect(serializeCookie('a', longest, { sameSite: 'Strict', secure: false, maxAge: 0 })).toBe(
      `a=${longest}; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
    );
    expect(serializeCookie('__Host-a', '', { maxAge: 34_560_000 })).toMatch(/; Secure; Max-Age=34560000$/);
  });

  it('refuses what browsers would ignore, without showing the value', () => {
    const refused: readonly (readonly [string, string, unknown, string])[] = [
      ['a b', '', {}, 'has an invalid name'],
      ['', '', {}, 'has an invalid name'],
      ['a', 'secret; Domain=evil.example', {}, 'encodeURIComponent'],
      ['a', 'secret\r\nX: y', {}, 'has an invalid value'],
      ['a', 'sécret', {}, 'has an invalid value'],
      ['a', 'x'.repeat(4_096), {}, 'has 4097 bytes'],
      ['a', '', { path: 'b/c' }, 'has the path the string "b/c"'],
      ['a', '', { path: 'app' }, 'begin it with "/"'],
      ['a', '', { path: '/;HttpOnly' }, 'without semicolons'],
      ['a', '', { domain: 'a b' }, 'use a host name'],
      ['a', '', { sameSite: 'lax' }, 'use "Strict", "Lax" or "None"'],
      ['a', '', { maxAge: 1.5 }, 'whole seconds'],
      ['a', '', { maxage: 60 }, 'has an unknown option "maxage". Did you mean "maxAge"?'],
      ['a', '', { expires: new Date() }, 'has an unknown option "expires". Supported: path,'],
      [
        'a',
        '',
        'Strict',
        'has invalid options: the string "Strict" was passed. Pass an object with options: path,',
      ],
      ['a', '', [], 'has invalid options: an array was passed.'],
      ['a', '', { maxAge: -1 }, 'whole seconds'],
      ['a', '', { maxAge: 34_560_001 }, '400 days'],
      ['a', '', { sameSite: 'None', secure: false }, 'requires secure'],
      ['a', '', { partitioned: true, secure: false }, 'requires secure'],
      ['__Secure-a', '', { secure: false }, 'requires secure, because of its prefix'],
      ['__HOST-a', '', { secure: false }, 'requires secure, because of its prefix'],
      ['__Host-a', '', { path: '/app' }, 'requires the path "/"'],
      ['__Host-a', '', { domain: 'example.com' }, 'must not have a domain'],
    ];
    for (const [key, content, options, message] of refused) {
      const act = (): string => serializeCookie(key, content, options as CookieOptions);
      expect(act).toThrow(TypeError);
      expect(act).toThrow(message);
      expect(act).not.toThrow('secret');
    }
  });

  it('describes options that are not an object, also for the cookies of a response', () => {
    const cookies = new Cookies(makeMvcEvent());
    expect(() => cookies.set('a', '', 'Strict' as CookieOptions)).toThrow('the string "Strict" was passed.');
  });

  it('writes one line of one cookie, or throws a TypeError, whatever it is given', () => {
    const any = fc.oneof(anyText(), fc.constantFrom(';', '\n', '=', ' ', undefined));
    fc.assert(
      fc.property(any, any, any, any, (key, content, path, domain) => {
        const options = {
          ...(path === undefined ? {} : { path }),
          ...(domain === undefined ? {} : { domain }),
        };
        let line;
        try {
          line = serializeCookie(String(key), String(content), options);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        expect(line).toMatch(/^[\x20-\x7e]+$/);
        expect(line.split('; ').length).toBe(5 + Number('domain' in options));
      }),
    );
  });
});
