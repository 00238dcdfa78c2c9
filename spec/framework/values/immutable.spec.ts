import { findUncopyable, immutable } from '../../../src/framework/values/immutable';

describe('immutable', () => {
  it('returns a copy, so that the original remains mutable', () => {
    const original = { list: [1] };
    const copy = immutable(original);
    original.list.push(2);
    expect(copy).toEqual({ list: [1] });
  });

  it('freezes every level', () => {
    const copy = immutable({ a: [{ b: 1 }] });
    expect(() => {
      copy.a[0]!.b = 2;
    }).toThrow(TypeError);
  });

  it('supports circular references', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const copy = immutable(circle);
    expect(copy.self).toBe(copy);
  });
});

describe('immutable, called with its own copy', () => {
  it('returns the copy and its parts unchanged', () => {
    const copy = immutable({ list: [{ a: 1 }] });
    expect(immutable(copy)).toBe(copy);
    expect(immutable(copy.list[0])).toBe(copy.list[0]);
    expect(immutable({ part: copy.list }).part).toBe(copy.list);
  });

  it('has one copy of all empty lists, which remain as they are', () => {
    const empty: unknown[] = [];
    const copy = immutable({ first: empty, second: [] });
    expect(copy).toEqual({ first: [], second: [] });
    expect(copy.first).toBe(copy.second);
    expect(Object.isFrozen(copy.first)).toBe(true);
    expect(immutable(copy.first)).toBe(copy.first);
    empty.push(1);
    expect(copy.first).toEqual([]);
  });

  it('copies frozen data of others', () => {
    const frozen = Object.freeze({ list: [1] });
    const copy = immutable(frozen);
    expect(copy).toEqual(frozen);
    expect(copy).not.toBe(frozen);
  });

  it('adds no member that can be seen, and leaves out symbols', () => {
    const copy = immutable({ a: 1, [Symbol('kind')]: 'Object' });
    expect(Reflect.ownKeys(copy)).toEqual(['a']);
    expect(JSON.stringify(copy)).toBe('{"a":1}');
  });
});

describe('findUncopyable', () => {
  it.each([
    ['a function', { a: [1, { b: () => 1 }] }, ['a', 1, 'b']],
    ['a promise', { a: Promise.resolve() }, ['a']],
    ['bytes, which cannot be frozen', { a: Buffer.from('a') }, ['a']],
    ['the data itself', () => 1, []],
  ])('returns where data has %s', (_, data, path) => {
    expect(findUncopyable(data)?.path).toEqual(path);
    expect(() => immutable(data)).toThrow();
  });

  it.each([
    ['an instance of a class', new Date(0)],
    [
      'a list with JSON of its own',
      new (class Sheets extends Array {
        toJSON(): string {
          return 'own';
        }
      })(),
    ],
  ])('reports %s, whose copy may have other JSON', (_, instance) => {
    const instances: unknown[] = [];
    expect(
      findUncopyable({ a: [{ b: instance }, [1], { c: {} }] }, (one) => instances.push(one)),
    ).toBeUndefined();
    expect(instances).toEqual([instance]);
  });

  it('returns undefined for what immutable copies', () => {
    const circle: { self?: unknown; readonly day: Date } = { day: new Date(0) };
    circle.self = circle;
    for (const data of [circle, null, 'text', [1, null], { a: undefined }, immutable({ a: 1 })]) {
      expect(findUncopyable(data)).toBeUndefined();
      expect(immutable(data)).toEqual(data);
    }
  });
});
