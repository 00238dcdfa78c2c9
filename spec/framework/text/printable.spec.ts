import fc from 'fast-check';
import { printable, printableLines } from '../../../src/framework';
import { anyText } from '../../factories/any-text';

it('escapes control sequences', () => {
  expect(printable('\u001b[2J\u0007\r\nno\u202eyes\u2028\ud800')).toBe(
    '\\u{1b}[2J\\u{7}\\u{d}\\u{a}no\\u{202e}yes\\u{2028}\\u{d800}',
  );
});

it('does not change text in any script', () => {
  for (const text of ['', 'plain\ttext', 'Ärger', '日本語', 'مرحبا', '🎉'])
    expect(printable(text)).toBe(text);
});

it('keeps line breaks', () => {
  expect(printableLines('one\ntwo\u001b')).toBe('one\ntwo\\u{1b}');
});

it('returns no control characters', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(printable(text)).not.toMatch(/(?!\t)[\p{Cc}\p{Cf}]/u);
    }),
  );
});
