import { createHash } from 'node:crypto';
import { basicTable, useBench } from './bench';
import { fronts, basicUsers, octetsOf, SEVENTY_TWO } from './guarded-platform';

/** The credentials with these octets. */
function basic(octets: string): string {
  return `Basic ${Buffer.from(octets, 'latin1').toString('base64')}`;
}

/** The credentials of a user in the file, in UTF-8. */
function of(user: string, password = basicUsers[user] ?? ''): string {
  return basic(octetsOf(`${user}:${password}`));
}

const storedHash = `{SHA}${createHash('sha1').update('explore').digest('base64')}`;

describe.each(fronts)('the content of Basic credentials (RFC 7617, 2), over %s', (front) => {
  const bench = useBench(front);

  describe('base64 (RFC 4648, 3 and 4)', () => {
    basicTable(bench, [
      ['a token with two signs of padding', 'is accepted', 'Basic Z3VpZGU6ZXhwbG9yZQ=='],
      ['a token without its padding', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9yZQ'],
      ['a token with half of its padding', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9yZQ='],
      ['a token with too much padding', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9yZQ==='],
      ['a token with leading padding', 'is rejected', 'Basic ==Z3VpZGU6ZXhwbG9yZQ=='],
      ['a token with padding inside', 'is rejected', 'Basic Z3VpZGU=ZXhwbG9yZQ=='],
      ['a token with text after its padding', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9yZQ==AAAA'],
      ['a token whose unused bits are set', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9yZR=='],
      ['a token whose other unused bits are set', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9yZf=='],
      ['a token of both special characters', 'is accepted', of('symbols')],
      [
        'a token in the alphabet of URLs',
        'is rejected',
        of('symbols').replaceAll('+', '-').replaceAll('/', '_'),
      ],
      ['a token in another letter case', 'is rejected', 'Basic z3vPzgu6zxHWBg9YzQ=='],
      ['a token with a character of neither alphabet', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9y~ZQ=='],
      ['a token with a point', 'is rejected', 'Basic Z3VpZGU6.ZXhwbG9yZQ=='],
      ['a token that is cut', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9y'],
      ['a token of one character', 'is rejected', 'Basic Z'],
      ['a token of one character with padding', 'is rejected', 'Basic Z==='],
      ['a token of padding', 'is rejected', 'Basic ===='],
      ['a token that is percent-encoded', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9yZQ%3D%3D'],
      ['a token in hexadecimal', 'is rejected', `Basic ${Buffer.from('guide:explore').toString('hex')}`],
      ['a token that is encoded twice', 'is rejected', basic('Z3VpZGU6ZXhwbG9yZQ==')],
    ]);
  });

  describe('the colon', () => {
    basicTable(bench, [
      ['a password with colons', 'is accepted', of('colons')],
      ['a password that is a colon', 'is accepted', of('colon')],
      ['a password with colons up to the first', 'is rejected', of('colons', 'a')],
      ['a password with colons without the last', 'is rejected', of('colons', 'a:b::c')],
      ['an extra colon before the password', 'is rejected', of('guide', ':explore')],
      ['an extra colon after the password', 'is rejected', of('guide', 'explore:')],
      ['no colon', 'is rejected', basic('guide')],
      ['no colon, with the password', 'is rejected', basic('guideexplore')],
      ['a colon alone', 'is rejected', basic(':')],
      ['a run of colons', 'is rejected', basic(':::')],
      ['an empty text', 'is rejected', 'Basic =='],
      ['a semicolon instead', 'is rejected', basic('guide;explore')],
      ['a colon of another script', 'is rejected', basic(octetsOf('guide\uff1aexplore'))],
      ['the line of the file', 'is rejected', basic(`guide:${storedHash}`)],
    ]);
  });

  describe('the user name', () => {
    basicTable(bench, [
      ['a name with a space', 'is accepted', of('with space')],
      ['a name in UTF-8', 'is accepted', of('Jäsøn Doe')],
      ['a name in ISO-8859-1', 'is rejected', basic('J\xe4s\xf8n Doe:\xdcbergr\xf6\xdfe')],
      [
        'a name that is decomposed',
        'is rejected',
        basic(octetsOf('Jäsøn Doe'.normalize('NFD') + ':Übergröße')),
      ],
      ['an empty name', 'is rejected', basic(':explore')],
      ['a name in another letter case', 'is rejected', of('Guide', 'explore')],
      ['a name with a trailing space', 'is rejected', of('guide ', 'explore')],
      ['a name with a leading space', 'is rejected', of(' guide', 'explore')],
      ['a name without its last letter', 'is rejected', of('guid', 'explore')],
      ['an unknown name', 'is rejected', of('nobody', 'explore')],
      ['a name that Object.prototype has', 'is rejected', of('constructor', 'explore')],
      ['a name with a hash sign', 'is rejected', of('#guide', 'explore')],
      ['a name after a byte order mark', 'is rejected', basic(octetsOf('\ufeffguide:explore'))],
      [
        'a name in UTF-16',
        'is rejected',
        `Basic ${Buffer.from('guide:explore', 'utf16le').toString('base64')}`,
      ],
      ['a name of 8 KB', 'is rejected', of('x'.repeat(8_000), 'explore')],
      ['a name with a trailing NUL', 'is rejected', basic('guide\0:explore')],
      ['a name with a line feed', 'is rejected', basic('nobody\nguide:explore')],
    ]);
  });

  describe('the password', () => {
    basicTable(bench, [
      ['a password "0"', 'is accepted', of('zero')],
      ['an empty password', 'is accepted', of('empty')],
      ['a password with spaces around', 'is accepted', of('spaces')],
      ['a password in UTF-8', 'is accepted', of('Jäsøn Doe')],
      ['a password beyond the basic plane', 'is accepted', of('emoji')],
      ['a password of 1000 letters', 'is accepted', of('long')],
      ['a password of the 72 octets of bcrypt', 'is accepted', of('bcrypt', SEVENTY_TWO)],
      ['a password of 73 octets with the right 72', 'is rejected', of('bcrypt', `${SEVENTY_TWO}x`)],
      ['a password of 71 octets', 'is rejected', of('bcrypt', SEVENTY_TWO.slice(1))],
      ['a password of 200 octets with the right 72', 'is rejected', of('bcrypt', 'x'.repeat(200))],
      ['an empty password for one that is not', 'is rejected', of('guide', '')],
      ['an empty password for "0"', 'is rejected', of('zero', '')],
      ['a password "00" for "0"', 'is rejected', of('zero', '00')],
      ['a password "0" for an empty one', 'is rejected', of('empty', '0')],
      ['a space for an empty password', 'is rejected', of('empty', ' ')],
      ['a password without its spaces', 'is rejected', of('spaces', 'leading and trailing')],
      ['a password with a trailing space', 'is rejected', of('guide', 'explore ')],
      ['a password in another letter case', 'is rejected', of('guide', 'Explore')],
      ['a part of the password', 'is rejected', of('guide', 'explor')],
      ['the password twice', 'is rejected', of('guide', 'exploreexplore')],
      ['the password of another user', 'is rejected', of('guide', 'open sesame')],
      ['the stored hash', 'is rejected', of('guide', storedHash)],
      ['the stored hash without its label', 'is rejected', of('guide', storedHash.slice(5))],
      ['a password of 10 KB', 'is rejected', of('guide', 'x'.repeat(10_000))],
      ['a password of 12 KB', 'is too large', of('guide', 'x'.repeat(12_288))],
      ['a password in ISO-8859-1', 'is rejected', basic('test:123\xa3')],
      ['a password that is decomposed', 'is rejected', of('Jäsøn Doe', 'Übergröße'.normalize('NFD'))],
    ]);
  });

  describe('control characters, also in stored passwords', () => {
    basicTable(bench, [
      ['a tab', 'is rejected', of('tab')],
      ['a line feed', 'is rejected', of('newline')],
      ['a NUL', 'is rejected', of('nul')],
      ['a DEL', 'is rejected', of('delete')],
      ['a control character of C1', 'is rejected', of('c1')],
      ['a NUL after the password', 'is rejected', basic('guide:explore\0')],
      ['a NUL and more after the password', 'is rejected', basic('guide:explore\0x')],
      ['a line feed after the password', 'is rejected', basic('guide:explore\n')],
      ['a carriage return and line feed', 'is rejected', basic('guide:explore\r\n')],
    ]);
  });

  describe('octets that are not UTF-8', () => {
    basicTable(bench, [
      ['a lone octet above 127', 'is rejected', basic('guide:\xff')],
      ['half of a character', 'is rejected', basic('test:123\xc2')],
      ['a surrogate', 'is rejected', basic('guide:\xed\xa0\x80')],
      ['a colon in an overlong form', 'is rejected', basic('guide\xc0\xbaexplore')],
      ['a letter in an overlong form', 'is rejected', basic('guide:\xc1\xa5xplore')],
      ['a NUL in an overlong form', 'is rejected', basic('guide:explore\xc0\x80')],
      ['a character beyond the last', 'is rejected', basic('guide:\xf4\x90\x80\x80')],
      ['a replacement character for one', 'is rejected', of('test', '123\ufffd')],
    ]);
  });

  describe('the examples of RFC 7617', () => {
    basicTable(bench, [
      ['Aladdin with "open sesame" (2)', 'is accepted', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
      ['test with "123£" (2.1)', 'is accepted', 'Basic dGVzdDoxMjPCow=='],
    ]);
  });
});
