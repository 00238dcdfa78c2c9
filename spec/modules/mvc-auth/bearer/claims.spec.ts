import { subjectOf } from '../../../../src/modules/mvc-auth';

const nameOf = (sub: string): string | undefined =>
  subjectOf({ sub }, { name: 'sub', groups: 'groups', scope: 'scope' })?.username;

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
