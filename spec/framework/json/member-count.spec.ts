import fc from 'fast-check';
import { countParsedMembers, countWrittenMembers } from '../../../src/framework';

const isTwice = (text: string): boolean => countParsedMembers(JSON.parse(text)) !== countWrittenMembers(text);

it.each([
  '{"a": 1, "a": 2}',
  '{"a": {"b": [{"c": 1, "d": 2, "c": {}}]}}',
  '{"a": ":", "\\u0061": ""}',
  '{"a\\"": 1, "a\\"": 2}',
  '{"__proto__": 1, "__proto__": 2}',
  '[{"a": {"x": 1, "y": 2}, "a": {}}]',
])('detects a duplicate key: %s', (text) => {
  expect(isTwice(text)).toBe(true);
});

it.each(['{}', '[]', '"a:b"', 'null', '{"a": {"a": {"a": "a:a"}}}', '{"\\\\": "\\\\", ":": "\\":\\""}'])(
  'sees none in %s',
  (text) => {
    expect(isTwice(text)).toBe(false);
  },
);

it('detects no duplicate key in the output of JSON.stringify, and one if a member is repeated', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const text = JSON.stringify(value);
      expect(isTwice(text)).toBe(false);
      const [key] = Object.keys(value);
      expect(isTwice(`${text.slice(0, -1)},${JSON.stringify(key)}:0}`)).toBe(true);
    }),
  );
});
