import fc from 'fast-check';
import { JsonCache, withSharedParts } from '../../../src/framework/json/json-cache';
import type { JsonFile } from '../../../src/framework/json/json-file';
import type { ConfigObject } from '../../../src/framework/values/config-object';
import { runSync } from '../../../src/framework/values/steps';

const parseWith =
  (cache: JsonCache) =>
  (content: string | Buffer, shown: string): JsonFile =>
    runSync(cache.parse(content, shown));

describe('A JSON cache', () => {
  it('returns the same value for the same text of a file', () => {
    const parse = parseWith(new JsonCache());
    const first = parse('{"a": [1]}', 'local.json');
    expect(parse('{"a": [1]}', 'local.json')).toBe(first);
    expect(parse('{"a": [2]}', 'local.json').value).toEqual({ a: [2] });
    expect(parse('{"a": [1]}', 'other.json').file).toBe('other.json');
    // Still cached while a change is under review.
    expect(parse('{"a": [1]}', 'local.json')).toBe(first);
  });

  it('returns the same value for the same bytes of a file, and for their text', () => {
    const parse = parseWith(new JsonCache());
    const first = parse('{"a": "\u00e9"}', 'local.json');
    expect(parse(Buffer.from('{"a": "\u00e9"}'), 'local.json')).toBe(first);
    expect(parse(Buffer.from('{"a": "\u00e9"}'), 'local.json')).toBe(first);
    expect(parse(Buffer.from('{"a": "e"}'), 'local.json').value).toEqual({ a: 'e' });
    expect(parse(Buffer.from('{"a": "\u00e9"}'), 'local.json')).toBe(first);
    expect(() => parse(Buffer.from('{"a": "\u00e9"}', 'latin1'), 'local.json')).toThrow(
      'local.json:1:8: the byte 0xe9 is not UTF-8',
    );
  });

  it('does not cache errors', () => {
    const parse = parseWith(new JsonCache());
    expect(() => parse('{', 'local.json')).toThrow('local.json:1:2');
    expect(() => parse('{', 'local.json')).toThrow('local.json:1:2');
  });

  it('shares the equal parts of the texts of a file', () => {
    const parse = parseWith(new JsonCache());
    const before = parse('{"a": {"b": [1]}, "c": {"d": 1, "e": {}}}', 'local.json').value;
    const after = parse('{"a": {"b": [1]}, "c": {"d": 2, "e": {}}}', 'local.json').value;
    expect(after).toEqual({ a: { b: [1] }, c: { d: 2, e: {} } });
    expect(after.a).toBe(before.a);
    expect(after.c).not.toBe(before.c);
  });

  it('changes no value by sharing, and no order of keys', () => {
    const { tree } = fc.letrec<{ tree: ConfigObject }>((tie) => ({
      tree: fc.dictionary(
        fc.constantFrom('a', 'b', '__proto__', '1'),
        fc.oneof(
          fc.constantFrom<(string | number | null)[]>(null, 1, 'x'),
          fc.array(fc.constantFrom(1, 'x')),
          tie('tree'),
        ) as fc.Arbitrary<ConfigObject>,
        { maxKeys: 3, noNullPrototype: true },
      ),
    }));
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        const [value, previous] = [one, other].map(
          (each) => JSON.parse(JSON.stringify(each)) as ConfigObject,
        );
        const text = JSON.stringify(value);
        expect(JSON.stringify(runSync(withSharedParts(value ?? {}, previous ?? {})))).toBe(text);
        expect(runSync(withSharedParts(structuredClone(value ?? {}), value ?? {}))).toBe(value);
      }),
    );
  });
});
