import { immutable } from '../../../src/framework/values/immutable';

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
