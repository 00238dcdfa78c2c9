import { subjectOf } from '../../../../src/modules/mvc-auth';

const NAMES = { name: 'sub', groups: 'groups', scope: 'scope' };
const nameOf = (sub: string): string | undefined => subjectOf({ sub }, NAMES)?.username;

describe('the name of a token', () => {
  it.each([
    'ada',
    'Ada Lovelace',
    'ada@example.org',
    'علی\u200cرضا',
    '👩\u200d💻dev',
    'Zoë',
    '艾達',
    'a'.repeat(256),
  ])('may be %s', (name) => {
    expect(nameOf(name)).toBe(name);
  });

  it.each([
    ['a joiner at its end', 'ada\u200d'],
    ['a joiner among Latin letters', 'a\u200cda'],
    ['a direction', 'a\u202eda'],
    ['a space at its end', 'ada '],
    ['a space at its beginning', '\u00a0ada'],
    ['spaces alone', '  '],
    ['a Hangul filler', 'ada\u3164'],
    ['a half-width Hangul filler', 'ada\uffa0'],
    ['a filler of initial consonants', 'ada\u115f'],
    ['a filler of vowels', 'ada\u1160'],
    ['257 characters', 'a'.repeat(257)],
    ['an empty pattern of Braille', 'ada\u2800'],
    ['a soft hyphen', 'a\u00adda'],
    ['half a character', 'ada\ud83d'],
  ])('has not %s', (_, name) => {
    expect(nameOf(name)).toBeUndefined();
  });
});

describe('the groups and scopes of a token', () => {
  const of = (claims: object): unknown => {
    const { groups, scopes } = subjectOf({ sub: 'ada', ...claims }, NAMES) ?? {};
    return [groups, scopes];
  };

  it('are lists of texts, one group, and scopes separated by spaces (RFC 8693, 4.2)', () => {
    expect(of({ groups: ['staff', 'board'], scope: ['read', 'write'] })).toEqual([
      ['staff', 'board'],
      ['read', 'write'],
    ]);
    expect(of({ groups: 'staff board', scope: ' read  write ' })).toEqual([
      ['staff board'],
      ['read', 'write'],
    ]);
  });

  it('are none of other and of empty values', () => {
    for (const value of [undefined, null, '', 7, true, { 0: 'staff' }, [], [7, null, '', ['staff']]])
      expect([value, of({ groups: value, scope: value })]).toEqual([value, [[], []]]);
  });
});

describe('the claim with the name of a user', () => {
  const find = (name: string, claims: object): unknown =>
    subjectOf({ ...claims }, { ...NAMES, name })?.username;

  it('is one of the name, otherwise a member of objects', () => {
    expect(find('user.name', { user: { name: 'ada' } })).toBe('ada');
    expect(find('user.name', { 'user.name': 'bob', user: { name: 'ada' } })).toBe('bob');
    expect(find('user.name', { user: 'ada' })).toBeUndefined();
    expect(find('user.name', { user: null })).toBeUndefined();
    expect(find('user.0', { user: ['ada'] })).toBeUndefined();
  });
});
