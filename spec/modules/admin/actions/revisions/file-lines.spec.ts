import fc from 'fast-check';
import { parseJsonText, runSync } from '../../../../../src/framework';
import { fileLines } from '../../../../../src/modules/admin/actions/revisions/file-lines';
import { lineDifference } from '../../../../../src/modules/admin/actions/revisions/line-difference';
import {
  maskedSteps,
  type ConfigurationText,
} from '../../../../../src/modules/admin/actions/revisions/masked-text';

const isSecret = (path: readonly (string | number)[]): boolean => path.includes('password');
const parsed = (text: string): ConfigurationText => ({ text, file: parseJsonText(text, 'local.json') });
const textOf = (members: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify(members, null, 2)}\n`;

const members = fc.dictionary(
  fc.constantFrom(...Array.from({ length: 30 }, (_, at) => `key_${at}`), 'password'),
  fc.constantFrom<unknown>(1, 'two', { three: 3, password: 'hidden' }),
  { minKeys: 20, noNullPrototype: true },
);

describe('The line difference of two configuration files', () => {
  it('is that of their masked texts', () => {
    fc.assert(
      fc.property(members, members, (one, other) => {
        const [before, after] = [parsed(textOf(one)), parsed(textOf(other))];
        const masked = [before, after].map((text) => runSync(maskedSteps(text, isSecret)));
        const [lines, whole] = [
          runSync(fileLines(before, after, isSecret)),
          lineDifference(masked[0] ?? '', masked[1] ?? ''),
        ];
        const changed = (all: typeof lines): readonly string[] =>
          all.filter(({ kind }) => kind === 'before' || kind === 'after').map(({ text }) => text);
        expect(changed(lines).length).toBe(changed(whole).length);
        expect(JSON.stringify(lines)).not.toContain('hidden');
      }),
    );
  });

  it('shows three lines around a change, and gaps', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`key_${at}`, at]));
    const lines = runSync(
      fileLines(parsed(textOf(many)), parsed(textOf({ ...many, key_9: 'new' })), isSecret),
    );
    expect(lines.map(({ kind, text }) => `${kind} ${text.trim()}`)).toEqual([
      'gap ',
      'same "key_6": 6,',
      'same "key_7": 7,',
      'same "key_8": 8,',
      'before "key_9": 9,',
      'after "key_9": "new",',
      'same "key_10": 10,',
      'same "key_11": 11,',
      'same "key_12": 12,',
      'gap ',
    ]);
  });

  it('is of the whole file where it is new or removed', () => {
    const file = parsed(textOf({ password: 'hidden' }));
    expect(runSync(fileLines(undefined, file, isSecret)).map(({ text }) => text.trim())).toEqual([
      '{',
      '"password": "••••••"',
      '}',
    ]);
    expect(runSync(fileLines(file, undefined, isSecret))).toHaveLength(3);
  });
});
