import fc from 'fast-check';
import { toJsonValue } from '../../../../src/modules/hosting/schema/to-json-value';

/** Returns undefined for values without JSON. */
const read = (value: unknown): unknown => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? null : JSON.parse(text);
};

describe('a response as clients see it', () => {
  it('is its parsed JSON', () => {
    const anything = fc.anything({
      withDate: true,
      withSparseArray: true,
      withMap: true,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(toJsonValue(value)).toEqual({ value: read(value) });
      }),
    );
  });

  it('has 0 instead of -0', () => {
    expect(toJsonValue([-0])).toEqual({ value: [0] });
  });

  it('is the result of its toJSON', () => {
    const secret = { name: 'a', toJSON: () => ({ name: 'b' }) };
    expect(toJsonValue([secret])).toEqual({ value: [{ name: 'b' }] });
    class Entity {
      readonly #hidden = 1;
      toJSON(): unknown {
        return { shown: this.#hidden };
      }
    }
    expect(toJsonValue({ entity: new Entity() })).toEqual({ value: { entity: { shown: 1 } } });
  });

  it('is the same object when it is plain already', () => {
    const plain = { list: [1, 'a', true, null, { deep: {} }] };
    expect(toJsonValue(plain)?.value).toBe(plain);
  });

  it('is undefined for what is not JSON', () => {
    const circle: Record<string, unknown> = {};
    circle.list = [circle, circle];
    expect([toJsonValue(circle), toJsonValue({ big: 1n })]).toEqual([undefined, undefined]);
  });
});
