import { immutable } from '../../../src/framework/values/immutable';

describe('immutable', () => {
  it('copies, so that the original stays as open as it was', () => {
    const original = { list: [1] };
    const copy = immutable(original);
    original.list.push(2);
    expect(copy).toEqual({ list: [1] });
  });

  it('freezes to the bottom', () => {
    const copy = immutable({ a: [{ b: 1 }] });
    expect(() => {
      copy.a[0]!.b = 2;
    }).toThrow(TypeError);
  });

  it('ends at data that holds itself', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const copy = immutable(circle);
    expect(copy.self).toBe(copy);
  });
});
