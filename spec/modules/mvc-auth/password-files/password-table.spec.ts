import fc from 'fast-check';
import { readPasswordTable } from '../../../../src/modules/mvc-auth/password-files/password-table';
import { anyText } from '../../../factories/any-text';

const BCRYPT = `$2y$05$${'.'.repeat(53)}`;
const SHA1 = '{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=';
const SHA512 = `$6$rounds=9000$salt$${'.'.repeat(86)}`;

describe('the users of a password file', () => {
  it('are read past comments, blank lines, either line ending, and an unterminated last line', () => {
    const { users, issues: problems } = readPasswordTable(
      `# users\r\na:${BCRYPT}\r\n\r\nb:${SHA1}:more\n #c\nc:${SHA512}`,
    );
    expect([...users].map(([name, { stored }]) => [name, stored])).toEqual([
      ['a', BCRYPT],
      ['b', SHA1],
      ['c', SHA512],
    ]);
    expect(problems).toEqual([]);
  });

  it('are those of the first lines', () => {
    const { users, issues: problems } = readPasswordTable(`a:${BCRYPT}\na:${SHA1}\n`);
    expect(users.get('a')?.stored).toBe(BCRYPT);
    expect(problems).toEqual([{ line: 2, message: 'user "a" has an earlier line, which takes precedence' }]);
  });

  it.each([
    ['plain text', 'a:secret'],
    ['DES', 'a:rqXexS6ZhobKA'],
    ['MD5-crypt', 'a:$1$salt$qJH7.N4xYta3aEG/dfqo/0'],
    ['a truncated hash', `a:${BCRYPT.slice(0, -1)}`],
    ['a salt that is too long', `a:$apr1$123456789$${'.'.repeat(22)}`],
  ])('are not read from %s, which is reported without the hash', (_, line) => {
    const { users, issues: problems } = readPasswordTable(`${line}\nb:${SHA1}`);
    expect([...users.keys()]).toEqual(['b']);
    expect(problems).toEqual([
      { line: 1, message: expect.stringContaining('is not of a supported kind') as string },
    ]);
    expect(problems[0]?.message).not.toContain(line.slice(2));
  });

  it.each(['admin: amy bob', 'admin:\tamy', 'admin:amy bob'])(
    'are not read from a line of a group, %j',
    (line) => {
      const { users, issues } = readPasswordTable(`${line}\nb:${SHA1}`);
      expect([...users.keys()]).toEqual(['b']);
      expect(issues).toEqual([
        {
          line: 1,
          message:
            'expected user:hash; the line is ignored: if it is that of a group, "group: user user …", specify the file as "htgroup"',
        },
      ]);
    },
  );

  it('are read from a line with white space where plain-text passwords are accepted', () => {
    const { users, issues } = readPasswordTable('amy:two words', ['plain']);
    expect([users.get('amy')?.stored, issues]).toEqual(['two words', []]);
  });

  it('are not read from a line without a name or a colon', () => {
    expect(readPasswordTable(`a\n:${SHA1}\n`).issues.map(({ line }) => line)).toEqual([1, 2]);
  });

  it('use the most expensive hash for users that do not exist', () => {
    expect(readPasswordTable(`a:${SHA1}\nb:${SHA512}\nc:$apr1$x$${'.'.repeat(22)}`).dummy.stored).toBe(
      SHA512,
    );
    expect(readPasswordTable(`a:${SHA1}`).dummy.stored).toBe(SHA1);
    expect(readPasswordTable('').dummy.stored).toMatch(/^\$2y\$10\$/);
  });

  it.each([
    ['SHA-crypt', `$6$rounds=999999$salt$${'.'.repeat(86)}`, '2 seconds'],
    ['bcrypt', `$2y$15$${'.'.repeat(53)}`, '1 second'],
  ])('are read with a warning from a slow hash of %s', (_, hash, time) => {
    const { users, issues } = readPasswordTable(`a:${BCRYPT}\nb:${hash}`);
    expect([...users.keys()]).toEqual(['a', 'b']);
    expect(issues).toEqual([
      {
        line: 2,
        message: `the hash of user "b" takes about ${time} to verify, and so does each wrong password and unknown user: set the password again with "apidesc-platform htpasswd"`,
      },
    ]);
  });

  it('never make the parser throw', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        readPasswordTable(text);
        readPasswordTable(`a:$6$${text}$${text}`);
      }),
    );
  });
});
