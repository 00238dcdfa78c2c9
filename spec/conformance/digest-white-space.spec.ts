import { digestTable, useBench } from './bench';
import { digest, type Written } from './digest-client';

function around(parameters: Written, equals: string): string {
  const written = Object.entries(parameters).map(([name, value]) => name + equals + value);
  return `Digest ${written.join(', ')}`;
}

describe('whitespace in Digest credentials (RFC 9110, 5.6)', () => {
  const bench = useBench();

  describe('after the scheme', () => {
    digestTable(bench, [
      ['a double space', 'is accepted', (sign) => digest(sign(), ', ', 'Digest  ')],
      ['a run of fifty spaces', 'is accepted', (sign) => digest(sign(), ', ', `Digest${' '.repeat(50)}`)],
      ['a tab', 'is refused', (sign) => digest(sign(), ', ', 'Digest\t')],
      ['a no-break space', 'is refused', (sign) => digest(sign(), ', ', 'Digest\xa0')],
      ['a comma', 'is refused', (sign) => digest(sign(), ', ', 'Digest,')],
      ['a colon', 'is refused', (sign) => digest(sign(), ', ', 'Digest: ')],
      ['an equals sign', 'is refused', (sign) => digest(sign(), ', ', 'Digest=')],
      ['a lack of any space', 'is refused', (sign) => digest(sign(), ', ', 'Digest')],
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
      ['a space alone', 'is refused', (sign) => digest(sign(), ' ')],
      ['a semicolon', 'is refused', (sign) => digest(sign(), '; ')],
      ['an ampersand', 'is refused', (sign) => digest(sign(), '&')],
      ['a vertical bar', 'is refused', (sign) => digest(sign(), '|')],
    ]);
  });

  describe('around the list', () => {
    digestTable(bench, [
      ['a leading comma', 'is accepted', (sign) => digest(sign(), ', ', 'Digest , ')],
      ['a run of leading commas', 'is accepted', (sign) => digest(sign(), ', ', 'Digest ,,,')],
      ['a trailing comma', 'is accepted', (sign) => `${digest(sign())},`],
      ['a run of trailing commas', 'is accepted', (sign) => `${digest(sign())} , ,`],
      ['a field with spaces in front', 'is accepted', (sign) => `   ${digest(sign())}`],
      ['a field with tabs in front', 'is accepted', (sign) => `\t\t${digest(sign())}`],
      ['a field with spaces behind', 'is accepted', (sign) => `${digest(sign())}   `],
      ['a field with tabs behind', 'is accepted', (sign) => `${digest(sign())}\t\t`],
      ['a word behind', 'is refused', (sign) => `${digest(sign())} x`],
      ['an element that is no parameter', 'is refused', (sign) => `${digest(sign())}, x`],
      ['an element without name', 'is refused', (sign) => `${digest(sign())}, =x`],
      ['an element without value', 'is refused', (sign) => `${digest(sign())}, x=`],
      ['an element with two values', 'is refused', (sign) => `${digest(sign())}, x=a=b`],
      ['an element whose name is quoted', 'is refused', (sign) => `${digest(sign())}, "x"=a`],
      ['a comment', 'is refused', (sign) => `${digest(sign())} (Mufasa)`],
    ]);
  });

  describe('around the equals sign', () => {
    digestTable(bench, [
      ['a space on both sides', 'is accepted', (sign) => around(sign(), ' = ')],
      ['a tab on both sides', 'is accepted', (sign) => around(sign(), '\t=\t')],
      ['a space in front', 'is accepted', (sign) => around(sign(), ' =')],
      ['a space behind', 'is accepted', (sign) => around(sign(), '= ')],
      ['a colon in its place', 'is refused', (sign) => around(sign(), ':')],
      ['a second one', 'is refused', (sign) => around(sign(), '==')],
    ]);
  });

  describe('no content', () => {
    digestTable(bench, [
      ['a field without any octet', 'is refused', () => ''],
      ['a field of spaces', 'is refused', () => '    '],
      ['a scheme alone', 'is refused', () => 'Digest'],
      ['a scheme with spaces behind', 'is refused', () => 'Digest   '],
      ['a list of empty elements', 'is refused', () => 'Digest , , ,'],
      ['a token in place of parameters', 'is refused', () => 'Digest Z3VpZGU6ZXhwbG9yZQ=='],
      ['a parameter alone', 'is refused', () => 'Digest username="guide"'],
    ]);
  });
});
