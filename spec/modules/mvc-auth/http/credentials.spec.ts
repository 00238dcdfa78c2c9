import fc from 'fast-check';
import { DIGEST_PARAMETERS } from '../../../../src/modules/mvc-auth/http/credential-parameters';
import { parseCredentials, schemeOf } from '../../../../src/modules/mvc-auth/http/credentials';
import { quoted } from '../../../../src/modules/mvc-auth/http/field-text';
import { growthOf } from '../../../factories/measure/cpu-time';
import { anyText } from '../../../factories/any-text';

const TCHAR = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const token = fc.string({ unit: fc.constantFrom(...Array.from(TCHAR)), minLength: 1, maxLength: 12 });
const text = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x20 : code)),
});

const parametersOf = (field: string): unknown => [...(parseCredentials(field)?.parameters ?? [])].sort();

describe('the Authorization header', () => {
  it('is a scheme in any letter case and a token68', () => {
    expect(parseCredentials('bASIC   QWxhZGRpbjpvcGVuIHNlc2FtZQ==')).toMatchObject({
      scheme: 'basic',
      token68: 'QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    });
    expect(parametersOf('Basic QQ==')).toEqual([]);
  });

  it('is a scheme and parameters, quoted or not, with quoted pairs and empty elements', () => {
    const field = 'Digest , username="a \\"b\\" \\\\ c",\tNC = 00000001 ,,qop=auth,';
    expect(parametersOf(field)).toEqual([
      ['nc', '00000001'],
      ['qop', 'auth'],
      ['username', 'a "b" \\ c'],
    ]);
  });

  it('may have any number of parameters, each found by name and none twice', () => {
    for (const count of [1, 15, 16, 17, 18, 1000]) {
      const written = Array.from({ length: count }, (_, index) => `p${index}=v${index}`);
      const parameters = parseCredentials(`Digest ${written.join(',')}`)?.parameters;
      expect(written.map((_, index) => parameters?.get(`p${index}`))).toEqual(
        written.map((_, index) => `v${index}`),
      );
      expect(parameters?.get(`p${count}`)).toBeUndefined();
      for (const again of [0, count - 1])
        expect(parseCredentials(`Digest ${written.join(',')},P${again}=x`)).toBeUndefined();
    }
  });

  it.each([
    ['nothing', ''],
    ['a space before the scheme', ' Basic QQ=='],
    ['text after the token', 'Basic QQ== x'],
    ['a space after the token', 'Basic QQ== '],
    ['a parameter twice', 'Digest nc=1, NC=2'],
    ['no comma between parameters', 'Digest a=b c=d'],
    ['an open quote', 'Digest a="b'],
    ['text after a quoted string', 'Digest a="b"c'],
    ['a parameter without value', 'Digest a=b, c'],
    ['a parameter with an empty token', 'Digest a=, c=d'],
    ['a control character', 'Digest a="b\u0000c"'],
    ['a character that is not allowed in a header', 'Digest a="b\u20acc"'],
    ['a parameter without a name', 'Digest ="b"'],
    ['another character than the equals sign', 'Digest a:b'],
    ['a line break', 'Digest a="b\r\nc"'],
    ['a tab after the scheme', 'Basic\tQQ=='],
    ['a tab between the scheme and its parameters', 'Digest\ta=b'],
    ['a backslash at the end of a quoted string', 'Digest a="b\\"'],
    ['a quoted control character', 'Digest a="b\\\u0000"'],
    ['more than 16 KiB', `Basic ${'A'.repeat(16_379)}`],
  ])('is rejected with %s', (_, field) => {
    expect(parseCredentials(field)).toBeUndefined();
  });

  it('has up to 16 KiB', () => {
    expect(parseCredentials(`Basic ${'A'.repeat(16_378)}`)).toBeDefined();
  });

  it('has parameters of up to 16 KiB', () => {
    const value = 'v'.repeat(16_375);
    expect(parametersOf(`Digest a=${value}`)).toEqual([['a', value]]);
    expect(parametersOf(`Digest a="${value.slice(2)}"`)).toEqual([['a', value.slice(2)]]);
    expect(parseCredentials(`Digest a=${value}v`)).toBeUndefined();
  });

  it('is never completed by longer credentials that were parsed before', () => {
    for (const [longer, field] of [
      ['Digest a="b"', 'Digest a="b'],
      ['Digest a=b, c="d"', 'Digest a=b, c="'],
      ['Digest a=b, c=d', 'Digest a=b, c='],
      ['Digest a=b, c=d', 'Digest a=b, c'],
    ] as const) {
      expect(parseCredentials(longer)).toBeDefined();
      expect(parseCredentials(field)).toBeUndefined();
    }
    expect(parametersOf('Digest a=bcd')).toEqual([['a', 'bcd']]);
    expect(parametersOf('Digest a=b')).toEqual([['a', 'b']]);
  });

  it('reveals its scheme before it is parsed', () => {
    expect(schemeOf('Digest username="')).toBe('Digest');
    expect(schemeOf('bearer x')).toBe('bearer');
    expect(schemeOf('Bearer')).toBe('Bearer');
    expect(schemeOf('')).toBe('');
  });

  it('never makes the parser throw', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), text, fc.string()), (sent) => {
        parseCredentials(sent);
        parseCredentials(`Digest ${sent}`);
        schemeOf(sent);
      }),
    );
  });

  it('round-trips every parameter, however it is quoted', () => {
    const parameters = fc.uniqueArray(fc.tuple(token, text, token, fc.boolean()), {
      selector: ([name]) => name.toLowerCase(),
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(parameters, (given) => {
        const written = given.map(([name, value, plain, quotes]) =>
          quotes ? `${name}=${quoted(value)}` : `${name}=${plain}`,
        );
        const expected = given.map(([name, value, plain, quotes]) => [
          name.toLowerCase(),
          quotes ? value : plain,
        ]);
        expect(parametersOf(`Digest ${written.join(', ')}`)).toEqual(expected.sort());
      }),
    );
  });

  it('has its Digest parameters parsed in any order and letter case', () => {
    const known = fc.constantFrom(...DIGEST_PARAMETERS);
    const name = fc.oneof(known, token).chain((one) => fc.constantFrom(one, one.toUpperCase()));
    const names = fc.uniqueArray(name, { selector: (one) => one.toLowerCase(), minLength: 1 });
    fc.assert(
      fc.property(names, known, (given, other) => {
        const field = `Digest ${given.map((one, at) => `${one}="${at}"`).join(',')}`;
        const parameters = parseCredentials(field)?.parameters;
        for (const [at, one] of given.entries()) {
          expect(parameters?.get(one.toLowerCase())).toBe(String(at));
          expect(parseCredentials(`${field},${one.toLowerCase()}=again`)).toBeUndefined();
        }
        expect(DIGEST_PARAMETERS.map((one) => parameters?.get(one))).toEqual(parameters?.digest);
        if (!given.some((one) => one.toLowerCase() === other)) expect(parameters?.get(other)).toBeUndefined();
      }),
    );
  });

  it.each<readonly [string, (length: number) => string]>([
    ['escapes', (length) => `Digest a="${'\\"'.repeat(length / 2)}`],
    ['commas', (length) => `Digest ${', '.repeat(length / 2)}`],
    ['names', (length) => `Digest ${'a '.repeat(length / 2)}`],
    ['equals signs', (length) => `Digest ${'='.repeat(length)}`],
  ])('is parsed in linear time: %s', (_, field) => {
    // Quadratic time would be 256 times as long.
    expect(growthOf((length) => parseCredentials(field(length)), 1_000, 16_000)).toBeLessThan(64);
  });
});
