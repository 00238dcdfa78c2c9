import fc from 'fast-check';
import { countWrittenMembers, inspectParsed } from '../../../src/framework';

const isTwice = (text: string): boolean =>
  inspectParsed(JSON.parse(text)).members !== countWrittenMembers(text);

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

it.each(['1e400', '[0, [-1e999]]', '{"a": {"b": [1e309]}}', '{"a": 1, "b": -1e400}'])(
  'finds an infinite number in %s',
  (text) => expect(inspectParsed(JSON.parse(text)).hasInfinity).toBe(true),
);

it.each(['1e308', '"1e400"', '[null, true, ["Infinity"]]', '{"1e400": 1e-400}', '{}'])(
  'finds no infinite number in %s',
  (text) => expect(inspectParsed(JSON.parse(text)).hasInfinity).toBe(false),
);
