import fc from 'fast-check';
import { readBasicCredentials } from '../../../../../src/modules/mvc-auth/http/basic/basic-credentials';
import { CredentialParameters } from '../../../../../src/modules/mvc-auth/http/credential-parameters';

const read = (token68: string) =>
  readBasicCredentials({ scheme: 'basic', token68, parameters: new CredentialParameters() });
const encode = (text: string): string => Buffer.from(text).toString('base64');

describe('readBasicCredentials', () => {
  it('splits at the first colon (RFC 7617, 2)', () => {
    expect(read('QWxhZGRpbjpvcGVuIHNlc2FtZQ==')).toEqual({ username: 'Aladdin', password: 'open sesame' });
    expect(read(encode('ada:a:b'))).toEqual({ username: 'ada', password: 'a:b' });
    expect(read(encode('ada:'))).toEqual({ username: 'ada', password: '' });
    expect(read(encode('ada'))).toBeUndefined();
    expect(read(encode('\ufeffada:'))?.username).toBe('\ufeffada');
  });

  it('round-trips any printable text', () => {
    const printable = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text));
    fc.assert(
      fc.property(printable, printable, (name, password) => {
        const username = name.replaceAll(':', '');
        expect(read(encode(`${username}:${password}`))).toEqual({ username, password });
      }),
    );
  });

  it('accepts only canonical base64 (RFC 4648, 3.5)', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_.~=';
    const characters = fc.constantFrom(...alphabet.split(''));
    const token = fc.string({ unit: characters, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(token, (ending) => {
        const text = `${Buffer.from('a:bcde').toString('base64')}${ending}`;
        const isCanonical = Buffer.from(text, 'base64').toString('base64') === text;
        const octets = Buffer.from(text, 'base64').toString('latin1');
        const isPrintable = /^[\x20-\x7e]*$/.test(octets);
        if (!isCanonical) expect(read(text)).toBeUndefined();
        else if (isPrintable) expect(read(text)?.username).toBe('a');
      }),
      { numRuns: 2_000 },
    );
  });
});
