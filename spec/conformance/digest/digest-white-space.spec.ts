import { digestTable, useBench } from '../bench';
import { digest, type DigestParameters } from '../digest-client';

function around(parameters: DigestParameters, equals: string): string {
  const written = Object.entries(parameters).map(([name, value]) => name + equals + value);
  return `Digest ${written.join(', ')}`;
}

describe('whitespace in Digest credentials (RFC 9110, 5.6)', () => {
  const bench = useBench();

  describe('after the scheme', () => {
    digestTable(bench, [
      ['a double space', 'is accepted', (sign) => digest(sign(), ', ', 'Digest  ')],
      ['a run of fifty spaces', 'is accepted', (sign) => digest(sign(), ', ', `Digest${' '.repeat(50)}`)],
      ['a tab', 'is rejected', (sign) => digest(sign(), ', ', 'Digest\t')],
      ['a no-break space', 'is rejected', (sign) => digest(sign(), ', ', 'Digest\xa0')],
      ['a comma', 'is rejected', (sign) => digest(sign(), ', ', 'Digest,')],
      ['a colon', 'is rejected', (sign) => digest(sign(), ', ', 'Digest: ')],
      ['an equals sign', 'is rejected', (sign) => digest(sign(), ', ', 'Digest=')],
      ['no space', 'is rejected', (sign) => digest(sign(), ', ', 'Digest')],
    ]);
  });

  describe('between parameters', () => {
    digestTable(bench, [
      ['a bare comma', 'is accepted', (sign) => digest(sign(), ',')],
      ['a comma with spaces around', 'is accepted', (sign) => digest(sign(), '   ,   ')],
      ['a comma with tabs around', 'is accepted', (sign) => digest(sign(), '\t,\t')],
      ['a comma with both around', 'is accepted', (sign) => digest(sign(), ' \t , \t ')],
      ['a pair of commas', 'is accepted', (sign) => digest(sign(), ',,')],
      ['a run of commas and spaces', 'is accepted', (sign) => digest(sign(), ' , ,, , ')],
      ['a space alone', 'is rejected', (sign) => digest(sign(), ' ')],
      ['a semicolon', 'is rejected', (sign) => digest(sign(), '; ')],
      ['an ampersand', 'is rejected', (sign) => digest(sign(), '&')],
      ['a vertical bar', 'is rejected', (sign) => digest(sign(), '|')],
    ]);
  });

  describe('around the list', () => {
    digestTable(bench, [
      ['a leading comma', 'is accepted', (sign) => digest(sign(), ', ', 'Digest , ')],
      ['a run of leading commas', 'is accepted', (sign) => digest(sign(), ', ', 'Digest ,,,')],
      ['a trailing comma', 'is accepted', (sign) => `${digest(sign())},`],
      ['a run of trailing commas', 'is accepted', (sign) => `${digest(sign())} , ,`],
      ['a header with leading spaces', 'is accepted', (sign) => `   ${digest(sign())}`],
      ['a header with leading tabs', 'is accepted', (sign) => `\t\t${digest(sign())}`],
      ['a header with trailing spaces', 'is accepted', (sign) => `${digest(sign())}   `],
      ['a header with trailing tabs', 'is accepted', (sign) => `${digest(sign())}\t\t`],
      ['a trailing word', 'is rejected', (sign) => `${digest(sign())} x`],
      ['an element that is not a parameter', 'is rejected', (sign) => `${digest(sign())}, x`],
      ['an element without name', 'is rejected', (sign) => `${digest(sign())}, =x`],
      ['an element without value', 'is rejected', (sign) => `${digest(sign())}, x=`],
      ['an element with two values', 'is rejected', (sign) => `${digest(sign())}, x=a=b`],
      ['an element whose name is quoted', 'is rejected', (sign) => `${digest(sign())}, "x"=a`],
      ['a comment', 'is rejected', (sign) => `${digest(sign())} (Mufasa)`],
    ]);
  });

  describe('around the equals sign', () => {
    digestTable(bench, [
      ['a space on both sides', 'is accepted', (sign) => around(sign(), ' = ')],
      ['a tab on both sides', 'is accepted', (sign) => around(sign(), '\t=\t')],
      ['a leading space', 'is accepted', (sign) => around(sign(), ' =')],
      ['a trailing space', 'is accepted', (sign) => around(sign(), '= ')],
      ['a colon instead', 'is rejected', (sign) => around(sign(), ':')],
      ['a second equals sign', 'is rejected', (sign) => around(sign(), '==')],
    ]);
  });

  describe('no content', () => {
    digestTable(bench, [
      ['a header without octets', 'is rejected', () => ''],
      ['a header of spaces', 'is rejected', () => '    '],
      ['a scheme alone', 'is rejected', () => 'Digest'],
      ['a scheme with trailing spaces', 'is rejected', () => 'Digest   '],
      ['a list of empty elements', 'is rejected', () => 'Digest , , ,'],
      ['a token in place of parameters', 'is rejected', () => 'Digest Z3VpZGU6ZXhwbG9yZQ=='],
      ['a parameter alone', 'is rejected', () => 'Digest username="guide"'],
    ]);
  });
});
