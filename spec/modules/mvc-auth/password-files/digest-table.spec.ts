import fc from 'fast-check';
import { DIGEST_ALGORITHMS, digestOf } from '../../../../src/modules/mvc-auth/http/digest/digest-algorithm';
import {
  formatDigestLine,
  parseDigestLine,
  readDigestTable,
} from '../../../../src/modules/mvc-auth/password-files/digest-table';
import { anyText } from '../../../factories/any-text';

const MD5 = '3d78807defe7de2157e2b0b6573a855f';
const LONG = 'ab'.repeat(32);

describe('a line of a digest file', () => {
  it('is MD5 with 32 digits, SHA-256 with 64, SHA-512-256 when named, in any letter case', () => {
    expect(parseDigestLine(`Mufasa:the realm:${MD5}`)).toMatchObject({ algorithm: 'MD5', secret: MD5 });
    expect(parseDigestLine(`a:r:${MD5.toUpperCase()}`)).toMatchObject({ secret: MD5 });
    expect(parseDigestLine(`a:r:${LONG}`)).toMatchObject({ algorithm: 'SHA-256' });
    expect(parseDigestLine(`a:r:{SHA-512-256}${LONG}`)).toMatchObject({ algorithm: 'SHA-512-256' });
    expect(parseDigestLine(`a:r:{sha-256}${LONG}`)).toMatchObject({ algorithm: 'SHA-256' });
  });

  it.each([
    'a',
    'a:b',
    `a:${MD5}`,
    `:r:${MD5}`,
    `a:r:${MD5}:more`,
    `a:r:${MD5.slice(1)}`,
    `a:r:{MD5}${LONG}`,
    `a:r:{SHA-512-256}${MD5}`,
    `a:r:{CRC}${MD5}`,
    `a:r:${'g'.repeat(32)}`,
    'a:r:',
  ])('is invalid as %s', (text) => {
    expect(parseDigestLine(text)).toBeUndefined();
  });

  it('round-trips', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !text.includes(':'));
    fc.assert(
      fc.property(name, name, fc.constantFrom(...DIGEST_ALGORITHMS), (username, realm, algorithm) => {
        const line = { username, realm, algorithm, secret: digestOf(algorithm, username, 'utf8') };
        expect(parseDigestLine(formatDigestLine(line))).toEqual(line);
      }),
    );
  });

  it('never makes the parser throw', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        parseDigestLine(text);
        readDigestTable(text, 'r');
      }),
    );
  });
});

describe('the users of a realm', () => {
  it('are read past comments, blank lines, either line ending, and an unterminated last line', () => {
    const { users, issues: problems } = readDigestTable(
      `\uFEFF# users\r\n\r\na:r:${MD5}\r\n  # more\n\nb:r:${MD5}\nc:other:${MD5}\nd:r:${MD5}`,
      'r',
    );
    expect([...users.keys()]).toEqual(['a', 'b', 'd']);
    expect(problems).toEqual([]);
  });

  it('are those of the first lines, and errors are reported with line number and without a hash', () => {
    const { users, issues: problems } = readDigestTable(
      `a:r:${MD5}\nbroken:${LONG}\na:r:${'0'.repeat(32)}\n`,
      'r',
    );
    expect(users.get('a')?.get('MD5')).toBe(MD5);
    expect(problems.map(({ line }) => line)).toEqual([2, 3]);
    expect(problems[1]?.message).toBe('user "a" has an earlier MD5 line, which takes precedence');
    expect(JSON.stringify(problems)).not.toMatch(/[0-9a-f]{32}/);
  });

  it('are not read from a line that is not UTF-8', () => {
    const text = Buffer.from([0x61, 0xff, ...Buffer.from(`:r:${MD5}\n`)]).toString('utf8');
    expect(readDigestTable(text, 'r').issues).toHaveLength(1);
  });

  it('determine the offered algorithms: every user has a line for them', () => {
    const offer = (text: string): readonly string[] => readDigestTable(text, 'r').offered;
    const all = `a:r:${MD5}\na:r:${LONG}\na:r:{SHA-512-256}${LONG}\n`;
    expect(offer(all)).toEqual(['SHA-256', 'SHA-512-256', 'MD5']);
    expect(offer(`${all}b:r:${MD5}\n`)).toEqual(['MD5']);
    expect(offer(`${all}b:other:${MD5}\n`)).toHaveLength(3);
    expect(offer('')).toEqual([]);
  });
});
