import { truncate } from '../../../src/framework/text/truncate';

describe('A text in a message', () => {
  it('is complete if it is short', () => {
    expect(truncate('x'.repeat(100))).toBe('x'.repeat(100));
  });

  it('is truncated if it is long', () => {
    expect(truncate('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
    expect(truncate('abcdef', 3)).toBe('abc…');
  });

  it('does not end with half a character', () => {
    expect(truncate('ab😀', 3)).toBe('ab…');
  });
});
