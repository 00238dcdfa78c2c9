import fc from 'fast-check';
import { readGroupTable } from '../../../../src/modules/mvc-auth/password-files/group-table';
import { anyText } from '../../../factories/any-text';

describe('the groups of a group file', () => {
  it('are read past comments, blank lines, either line ending, and an unterminated last line', () => {
    const { groups, issues: problems } = readGroupTable(
      '# groups\r\nstaff: ada  bob\r\n\r\n #x\nboard:\tada',
    );
    expect([...groups]).toEqual([
      ['ada', ['staff', 'board']],
      ['bob', ['staff']],
    ]);
    expect(problems).toEqual([]);
  });

  it('may span several lines, be empty, and quote users with whitespace', () => {
    const { groups, issues: problems } = readGroupTable(
      'staff: ada\nnobody:\nstaff: ada "Jäsøn Doe" "the \\"boss\\""\n',
    );
    expect([...groups]).toEqual([
      ['ada', ['staff']],
      ['Jäsøn Doe', ['staff']],
      ['the "boss"', ['staff']],
    ]);
    expect(problems).toEqual([]);
  });

  it.each(['staff ada bob', ': ada', 'staff: "ada', 'staff: ada"bob', 'staff: a\uFFFDa'])(
    'skip an invalid line, %j, and keep the others',
    (line) => {
      const { groups, issues: problems } = readGroupTable(`a: x\n${line}\nb: x\n`);
      expect([...groups]).toEqual([['x', ['a', 'b']]]);
      expect(problems).toEqual([
        { line: 2, message: 'expected group: user user … in UTF-8; the line is ignored' },
      ]);
    },
  );

  it.each([
    `amy:$2y$05$${'.'.repeat(53)}`,
    'amy:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=',
    'amy:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=:Amy Smith',
    `amy:Realm of two:${'0'.repeat(32)}`,
    `amy:Realm:${'0'.repeat(64)}`,
  ])('skip the line of a user with a hash, %j, which is reported without the hash', (line) => {
    const { groups, issues, isDamaged } = readGroupTable(line);
    expect([groups.size, isDamaged]).toEqual([0, true]);
    expect(issues).toEqual([
      {
        line: 1,
        message:
          'expected group: user user …; the line is ignored: it is that of a user with a hash, whose file is to be specified as "htpasswd" or "htdigest"',
      },
    ]);
  });

  it('round-trip', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9äß@._-]{1,8}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.uniqueArray(name), { noNullPrototype: true }), (written) => {
        const text = Object.entries(written).map(([group, users]) => `${group}: ${users.join(' ')}\n`);
        const { groups, issues: problems } = readGroupTable(text.join(''));
        expect(problems).toEqual([]);
        for (const [group, users] of Object.entries(written)) {
          const found = [...groups].filter(([, own]) => own.includes(group)).map(([user]) => user);
          expect(found.sort()).toEqual([...users].sort());
        }
      }),
    );
  });

  it('never make the parser throw', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(readGroupTable(text).groups).toBeInstanceOf(Map);
      }),
    );
  });
});
