import { JsonCache } from '../../../src/framework/json/json-cache';

describe('A JSON cache', () => {
  it('returns the same value for the same text of a file', () => {
    const cache = new JsonCache();
    const first = cache.parse('{"a": [1]}', 'local.json');
    expect(cache.parse('{"a": [1]}', 'local.json')).toBe(first);
    expect(cache.parse('{"a": [2]}', 'local.json').value).toEqual({ a: [2] });
    expect(cache.parse('{"a": [1]}', 'other.json').file).toBe('other.json');
    // Still cached while a change is under review.
    expect(cache.parse('{"a": [1]}', 'local.json')).toBe(first);
  });

  it('does not cache errors', () => {
    const cache = new JsonCache();
    expect(() => cache.parse('{', 'local.json')).toThrow('local.json:1:2');
    expect(() => cache.parse('{', 'local.json')).toThrow('local.json:1:2');
  });
});
