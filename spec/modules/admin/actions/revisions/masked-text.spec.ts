import { maskedText } from '../../../../../src/modules/admin/actions/revisions/masked-text';

const isSecret = (path: readonly (string | number)[]): boolean =>
  path.some((key) => key === 'password' || key === 'keys');

describe('The text of a file with its secrets masked', () => {
  it('keeps everything else, including white space', () => {
    const text = '{\n    "user" :  "ada",\n    "password": "hidden", "n": 1\n}\n';
    expect(maskedText(text, isSecret)).toBe('{\n    "user" :  "ada",\n    "password": "••••••", "n": 1\n}\n');
  });

  it('masks secrets in arrays and objects', () => {
    expect(maskedText('{"keys":["a",{"b":"c"}]}', isSecret)).toBe('{"keys":["••••••",{"b":"••••••"}]}');
  });

  it('shows references to environment variables', () => {
    expect(maskedText('{"password":"${SECRET}"}', isSecret)).toBe('{"password":"${SECRET}"}');
    expect(maskedText('{"password":"x${SECRET}"}', isSecret)).toBe('{"password":"••••••"}');
  });

  it('is undefined for invalid text, in which secrets cannot be identified', () => {
    expect(maskedText('{"password": "hidden"', isSecret)).toBeUndefined();
  });
});
