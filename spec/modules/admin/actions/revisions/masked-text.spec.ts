import { parseJsonText, runSync } from '../../../../../src/framework';
import { maskedSteps } from '../../../../../src/modules/admin/actions/revisions/masked-text';

const isSecret = (path: readonly (string | number)[]): boolean =>
  path.some((key) => key === 'password' || key === 'keys');

const masked = (text: string): string =>
  runSync(maskedSteps({ text, file: parseJsonText(text, 'local.json') }, isSecret));

describe('The text of a file with its secrets masked', () => {
  it('keeps everything else, including white space', () => {
    const text = '{\n    "user" :  "ada",\n    "password": "hidden", "n": 1\n}\n';
    expect(masked(text)).toBe('{\n    "user" :  "ada",\n    "password": "••••••", "n": 1\n}\n');
  });

  it('masks secrets in arrays and objects', () => {
    expect(masked('{"keys":["a",{"b":"c"}]}')).toBe('{"keys":["••••••",{"b":"••••••"}]}');
  });

  it('shows references to environment variables', () => {
    expect(masked('{"password":"${SECRET}"}')).toBe('{"password":"${SECRET}"}');
    for (const text of ['x${SECRET}', '$${SECRET}', '${1}'])
      expect(masked(JSON.stringify({ password: text }))).toBe('{"password":"••••••"}');
  });

  it('is the same in parts', () => {
    const text = '{\n  "a": 1,\n  "password": "hidden",\n  "keys": ["b", null],\n  "c": 2\n}\n';
    const file = parseJsonText(text, 'local.json');
    const whole = masked(text);
    for (const [from, to] of [
      [0, 11],
      [11, 37],
      [11, text.length],
    ] as const)
      expect(whole).toContain(runSync(maskedSteps({ text, file }, isSecret, { from, to })));
  });
});
