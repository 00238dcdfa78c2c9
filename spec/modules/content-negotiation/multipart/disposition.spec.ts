import fc from 'fast-check';
import {
  parseDisposition,
  sanitizeFilename,
} from '../../../../src/modules/content-negotiation/multipart/disposition';
import { growthOf } from '../../../factories/measure/cpu-time';
import { anyText } from '../../../factories/any-text';

describe('parseDisposition', () => {
  it.each([
    ['form-data; name="a"', 'a', undefined],
    ['form-data; name=a; filename=b.txt', 'a', 'b.txt'],
    ['Form-Data ; NAME="a b" ; filename="c;d.txt"', 'a b', 'c;d.txt'],
    ['form-data; filename="say %22hi%22.txt"; name="a%0D%0Ab"', 'a\r\nb', 'say "hi".txt'],
    ['form-data; name="a"; filename="say \\"hi\\".txt"', 'a', 'say "hi".txt'],
    ['form-data; name="a"; filename="C:\\dir\\file.txt"', 'a', 'C:\\dir\\file.txt'],
    ['form-data; name="a"; filename="x.txt"; filename*=UTF-8\'\'k%C3%A4se.txt', 'a', 'käse.txt'],
    ['form-data; name="a"; filename="x.txt"; filename*=UTF-8\'\'%ff', 'a', 'x.txt'],
    ['form-data; name="a"; filename=""', 'a', ''],
    ['form-data; name=""', '', undefined],
  ])('%s', (field, name, filename) => {
    expect(parseDisposition(field)).toEqual({ name, filename });
  });

  it.each(['attachment; name="a"', 'form-data', 'form-data; filename="a"', '', 'form-data; "name"="a"'])(
    'returns undefined for %s',
    (field) => expect(parseDisposition(field)).toBeUndefined(),
  );

  it.each([
    ['escaped quotes', '\\"', ''],
    ['backslashes before what is not a parameter', '\\', '" x'],
    ['backslashes without an end', '\\', ''],
  ])('takes linear time for %s', (_, part, end) => {
    const parse = (length: number) => parseDisposition(`form-data; name="${part.repeat(length)}${end}`);
    // Quadratic time would be 256 times as long.
    expect(growthOf(parse, 500, 8_000)).toBeLessThan(64);
  });

  it('takes linear time for white space before what is not a value', () => {
    const parse = (length: number) => parseDisposition(`form-data; name=a; x=${' '.repeat(length)}"`);
    expect(parse(1)).toEqual({ name: 'a', filename: undefined });
    expect(growthOf(parse, 500, 8_000)).toBeLessThan(64);
  });

  it('reads empty values, and those between white space', () => {
    expect(parseDisposition('form-data; name = ; filename =  b.txt  ; x')).toEqual({
      name: '',
      filename: 'b.txt',
    });
    expect(parseDisposition('form-data; name="" ; filename= "b" ')).toEqual({ name: '', filename: 'b' });
  });
});

describe('sanitizeFilename', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\cup.png', 'cup.png'],
    ['a\u0000b\u001bc.txt', 'abc.txt'],
    ['gnp\u202etxt.exe', 'gnptxt.exe'],
    ['what? <this>|that:*".txt', 'what_ _this__that___.txt'],
    ['..', 'file'],
    ['', 'file'],
    ['.htaccess', 'htaccess'],
    ['Käse.txt', 'Käse.txt'],
  ])('converts %j to %j', (filename, expected) => {
    expect(sanitizeFilename(filename)).toBe(expected);
  });

  it('keeps the extension of a name that is too long', () => {
    const safe = sanitizeFilename(`${'ä'.repeat(300)}.jpeg`);
    expect(safe.endsWith('ä.jpeg')).toBe(true);
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
  });

  it('shortens a long name in linear time', () => {
    const shorten = (length: number) => sanitizeFilename(`${'x'.repeat(length)}.png`);
    expect(growthOf(shorten, 500, 8_000)).toBeLessThan(64);
  });

  it('removes points and white space in linear time', () => {
    const trim = (length: number) => sanitizeFilename(`x${'. '.repeat(length)}x`);
    expect(growthOf(trim, 500, 8_000)).toBeLessThan(64);
    expect(sanitizeFilename(' .\u3000a. b\u3000. ')).toBe('a. b');
  });

  it('always returns a single path segment', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (filename) => {
        const safe = sanitizeFilename(filename);
        expect(safe).not.toMatch(/[/\\\p{Cc}]|^\.*$/u);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
      }),
    );
  });
});
