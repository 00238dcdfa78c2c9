import fc from 'fast-check';
import {
  parseDisposition,
  sanitizeFilename,
} from '../../../../src/modules/content-negotiation/multipart/disposition';

describe('what a part of a form says of itself', () => {
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
    'is nothing in %s',
    (field) => expect(parseDisposition(field)).toBeUndefined(),
  );

  it('never takes long, whatever it is', () => {
    const field = `form-data; name="${'\\"'.repeat(4_000)}`;
    const began = performance.now();
    parseDisposition(field);
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe('the name of a file as it can be shown', () => {
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
  ])('is of %j %j', (given, shown) => {
    expect(sanitizeFilename(given)).toBe(shown);
  });

  it('keeps its extension when it is too long', () => {
    const shown = sanitizeFilename(`${'ä'.repeat(300)}.jpeg`);
    expect(shown.endsWith('ä.jpeg')).toBe(true);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(200);
  });

  it('is always the name of one file in one folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (given) => {
        const shown = sanitizeFilename(given);
        expect(shown).not.toMatch(/[/\\\p{Cc}]|^\.*$/u);
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(200);
      }),
    );
  });
});
