import { JsonCache } from '../../../src/framework/json/json-cache';

describe('A cache of JSON files', () => {
  it('gives the same value for the same text of a file, and another for another', () => {
    const cache = new JsonCache();
    const first = cache.parse('{"a": [1]}', 'local.json');
    expect(cache.parse('{"a": [1]}', 'local.json')).toBe(first);
    expect(cache.parse('{"a": [2]}', 'local.json').value).toEqual({ a: [2] });
    expect(cache.parse('{"a": [1]}', 'other.json').file).toBe('other.json');
    // Still there while a change is reviewed.
    expect(cache.parse('{"a": [1]}', 'local.json')).toBe(first);
  });

  it('keeps nothing of a text that is refused', () => {
    const cache = new JsonCache();
    expect(() => cache.parse('{', 'local.json')).toThrow('local.json:1:2');
    expect(() => cache.parse('{', 'local.json')).toThrow('local.json:1:2');
  });
});
