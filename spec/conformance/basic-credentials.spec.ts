import { createHash } from 'node:crypto';
import { basicTable, useBench } from './bench';
import { basicUsers, octetsOf, SEVENTY_TWO } from './guarded-platform';

/** The credentials with these octets. */
function basic(octets: string): string {
  return `Basic ${Buffer.from(octets, 'latin1').toString('base64')}`;
}

/** The credentials of a user in the file, in UTF-8. */
function of(user: string, password = basicUsers[user] ?? ''): string {
  return basic(octetsOf(`${user}:${password}`));
}

const storedHash = `{SHA}${createHash('sha1').update('explore').digest('base64')}`;

describe('the content of Basic credentials (RFC 7617, 2)', () => {
  const bench = useBench();

  describe('base64 (RFC 4648, 3 and 4)', () => {
    basicTable(bench, [
      ['a token with two signs of padding', 'is accepted', 'Basic Z3VpZGU6ZXhwbG9yZQ=='],
      ['a token without its padding', 'is refused', 'Basic Z3VpZGU6ZXhwbG9yZQ'],
      ['a token with half of its padding', 'is refused', 'Basic Z3VpZGU6ZXhwbG9yZQ='],
      ['a token with too much padding', 'is refused', 'Basic Z3VpZGU6ZXhwbG9yZQ==='],
      ['a token with padding in front', 'is refused', 'Basic ==Z3VpZGU6ZXhwbG9yZQ=='],
      ['a token with padding inside', 'is refused', 'Basic Z3VpZGU=ZXhwbG9yZQ=='],
      ['a token with text behind its padding', 'is refused', 'Basic Z3VpZGU6ZXhwbG9yZQ==AAAA'],
      ['a token whose unused bits are set', 'is refused', 'Basic Z3VpZGU6ZXhwbG9yZR=='],
      ['a token whose other unused bits are set', 'is refused', 'Basic Z3VpZGU6ZXhwbG9yZf=='],
      ['a token of both special characters', 'is accepted', of('symbols')],
      [
        'a token in the alphabet of URLs',
        'is refused',
        of('symbols').replaceAll('+', '-').replaceAll('/', '_'),
      ],
      ['a token in other letter case', 'is refused', 'Basic z3vPzgu6zxHWBg9YzQ=='],
      ['a token with a character of neither alphabet', 'is refused', 'Basic Z3VpZGU6ZXhwbG9y~ZQ=='],
      ['a token with a point', 'is refused', 'Basic Z3VpZGU6.ZXhwbG9yZQ=='],
      ['a token that is cut', 'is refused', 'Basic Z3VpZGU6ZXhwbG9y'],
      ['a token of one character', 'is refused', 'Basic Z'],
      ['a token of one character with padding', 'is refused', 'Basic Z==='],
      ['a token of padding', 'is refused', 'Basic ===='],
      ['a token that is percent-encoded', 'is refused', 'Basic Z3VpZGU6ZXhwbG9yZQ%3D%3D'],
      ['a token in hexadecimal', 'is refused', `Basic ${Buffer.from('guide:explore').toString('hex')}`],
      ['a token that is encoded twice', 'is refused', basic('Z3VpZGU6ZXhwbG9yZQ==')],
    ]);
  });

  describe('the colon', () => {
    basicTable(bench, [
      ['a password with colons', 'is accepted', of('colons')],
      ['a password that is a colon', 'is accepted', of('colon')],
      ['a password with colons up to the first', 'is refused', of('colons', 'a')],
      ['a password with colons without the last', 'is refused', of('colons', 'a:b::c')],
      ['a colon more in front of the password', 'is refused', of('guide', ':explore')],
      ['a colon more behind the password', 'is refused', of('guide', 'explore:')],
      ['a lack of colon', 'is refused', basic('guide')],
      ['a lack of colon with the password', 'is refused', basic('guideexplore')],
      ['a colon alone', 'is refused', basic(':')],
      ['a run of colons', 'is refused', basic(':::')],
      ['an empty text', 'is refused', 'Basic =='],
      ['a semicolon in its place', 'is refused', basic('guide;explore')],
      ['a colon of another script', 'is refused', basic(octetsOf('guide\uff1aexplore'))],
      ['the line of the file', 'is refused', basic(`guide:${storedHash}`)],
    ]);
  });

  describe('the user name', () => {
    basicTable(bench, [
      ['a name with a space', 'is accepted', of('with space')],
      ['a name in UTF-8', 'is accepted', of('Jäsøn Doe')],
      ['a name in ISO-8859-1', 'is refused', basic('J\xe4s\xf8n Doe:\xdcbergr\xf6\xdfe')],
      [
        'a name that is decomposed',
        'is refused',
        basic(octetsOf('Jäsøn Doe'.normalize('NFD') + ':Übergröße')),
      ],
      ['an empty name', 'is refused', basic(':explore')],
      ['a name in other letter case', 'is refused', of('Guide', 'explore')],
      ['a name with a space behind', 'is refused', of('guide ', 'explore')],
      ['a name with a space in front', 'is refused', of(' guide', 'explore')],
      ['a name without its last letter', 'is refused', of('guid', 'explore')],
      ['an unknown name', 'is refused', of('nobody', 'explore')],
      ['a name that objects inherit', 'is refused', of('constructor', 'explore')],
      ['a name with a hash sign', 'is refused', of('#guide', 'explore')],
      ['a name behind a byte order mark', 'is refused', basic(octetsOf('\ufeffguide:explore'))],
      [
        'a name in UTF-16',
        'is refused',
        `Basic ${Buffer.from('guide:explore', 'utf16le').toString('base64')}`,
      ],
      ['a name of 8 KB', 'is refused', of('x'.repeat(8_000), 'explore')],
      ['a name with a NUL behind', 'is refused', basic('guide\0:explore')],
      ['a name with a line feed', 'is refused', basic('nobody\nguide:explore')],
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
      ['a password of 73 octets with the right 72', 'is refused', of('bcrypt', `${SEVENTY_TWO}x`)],
      ['a password of 71 octets', 'is refused', of('bcrypt', SEVENTY_TWO.slice(1))],
      ['a password of 200 octets with the right 72', 'is refused', of('bcrypt', 'x'.repeat(200))],
      ['an empty password for one that is not', 'is refused', of('guide', '')],
      ['an empty password for "0"', 'is refused', of('zero', '')],
      ['a password "00" for "0"', 'is refused', of('zero', '00')],
      ['a password "0" for an empty one', 'is refused', of('empty', '0')],
      ['a space for an empty password', 'is refused', of('empty', ' ')],
      ['a password without its spaces', 'is refused', of('spaces', 'leading and trailing')],
      ['a password with a space behind', 'is refused', of('guide', 'explore ')],
      ['a password in other letter case', 'is refused', of('guide', 'Explore')],
      ['a part of the password', 'is refused', of('guide', 'explor')],
      ['the password twice', 'is refused', of('guide', 'exploreexplore')],
      ['the password of another user', 'is refused', of('guide', 'open sesame')],
      ['the stored hash', 'is refused', of('guide', storedHash)],
      ['the stored hash without its label', 'is refused', of('guide', storedHash.slice(5))],
      ['a password of 10 KB', 'is refused', of('guide', 'x'.repeat(10_000))],
      ['a password of 12 KB', 'is too large', of('guide', 'x'.repeat(12_288))],
      ['a password in ISO-8859-1', 'is refused', basic('test:123\xa3')],
      ['a password that is decomposed', 'is refused', of('Jäsøn Doe', 'Übergröße'.normalize('NFD'))],
    ]);
  });

  describe('control characters, also in stored passwords', () => {
    basicTable(bench, [
      ['a tab', 'is refused', of('tab')],
      ['a line feed', 'is refused', of('newline')],
      ['a NUL', 'is refused', of('nul')],
      ['a DEL', 'is refused', of('delete')],
      ['a control character of C1', 'is refused', of('c1')],
      ['a NUL behind the password', 'is refused', basic('guide:explore\0')],
      ['a NUL and more behind the password', 'is refused', basic('guide:explore\0x')],
      ['a line feed behind the password', 'is refused', basic('guide:explore\n')],
      ['a carriage return and line feed', 'is refused', basic('guide:explore\r\n')],
    ]);
  });

  describe('octets that are not UTF-8', () => {
    basicTable(bench, [
      ['an octet above 127 alone', 'is refused', basic('guide:\xff')],
      ['half of a character', 'is refused', basic('test:123\xc2')],
      ['a surrogate', 'is refused', basic('guide:\xed\xa0\x80')],
      ['a colon in an overlong form', 'is refused', basic('guide\xc0\xbaexplore')],
      ['a letter in an overlong form', 'is refused', basic('guide:\xc1\xa5xplore')],
      ['a NUL in an overlong form', 'is refused', basic('guide:explore\xc0\x80')],
      ['a character beyond the last', 'is refused', basic('guide:\xf4\x90\x80\x80')],
      ['a replacement character for one', 'is refused', of('test', '123\ufffd')],
    ]);
  });

  describe('the examples of RFC 7617', () => {
    basicTable(bench, [
      ['Aladdin with "open sesame" (2)', 'is accepted', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
      ['test with "123£" (2.1)', 'is accepted', 'Basic dGVzdDoxMjPCow=='],
    ]);
  });
});
