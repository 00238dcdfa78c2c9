import { maskedText } from '../../../../../src/modules/admin/actions/revisions/masked-text';

const isSecret = (path: readonly (string | number)[]): boolean =>
  path.some((key) => key === 'password' || key === 'keys');

describe('The text of a file with its secrets masked', () => {
  it('is otherwise as it was, to the space', () => {
    const text = '{\n    "user" :  "ada",\n    "password": "hidden", "n": 1\n}\n';
    expect(maskedText(text, isSecret)).toBe('{\n    "user" :  "ada",\n    "password": "••••••", "n": 1\n}\n');
  });

  it('masks within lists and maps too', () => {
    expect(maskedText('{"keys":["a",{"b":"c"}]}', isSecret)).toBe('{"keys":["••••••",{"b":"••••••"}]}');
  });

  it('shows which environment variable a secret comes from', () => {
    expect(maskedText('{"password":"${SECRET}"}', isSecret)).toBe('{"password":"${SECRET}"}');
    expect(maskedText('{"password":"x${SECRET}"}', isSecret)).toBe('{"password":"••••••"}');
  });

  it('is not there for what cannot be parsed: nobody knows what of it is secret', () => {
    expect(maskedText('{"password": "hidden"', isSecret)).toBeUndefined();
  });
});
