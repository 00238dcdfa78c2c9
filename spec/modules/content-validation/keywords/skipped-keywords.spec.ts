import { Validators } from '../../../../src/modules/content-validation';

const text = { type: 'string' };
const number = { type: 'number' };
const areValid = (schema: object, values: readonly unknown[]): readonly boolean[] => {
  const validate = new Validators().asIs(schema);
  return values.map((value) => 'value' in validate(value));
};

describe('a list that is shorter than prefixItems', () => {
  it.each([
    ['contains', { contains: number }, [], [5]],
    ['uniqueItems', { uniqueItems: true }, [1, 1], [1, 2]],
  ])('is checked for %s', (_keyword, keywords, invalid, valid) => {
    const schema = { prefixItems: [true, true, { ...number, minimum: 9 }], ...keywords };
    expect(areValid(schema, [invalid, valid])).toEqual([false, true]);
    expect(
      areValid({ items: schema }, [
        [valid, [1, 2, 9]],
        [[1, 2, 9], invalid],
      ]),
    ).toEqual([true, false]);
  });

  it('has no more than the errors of its items', () => {
    expect(new Validators().asIs({ prefixItems: [text, text], contains: number })([5])).toEqual({
      errors: [{ pointer: '/0', keyword: 'type', message: 'must be string' }],
    });
  });
});

describe('$dynamicRef', () => {
  it.each([
    ['a dynamic anchor', '#it', { $dynamicAnchor: 'it' }],
    ['an anchor', '#it', { $anchor: 'it' }],
    ['a pointer', '#/$defs/It', {}],
  ])('refers to the schema of %s', (_target, $dynamicRef, anchor) => {
    const schema = { $defs: { It: { ...anchor, ...text } }, items: { $dynamicRef, enum: ['a', 5] } };
    expect(areValid(schema, [['a'], ['b'], [5], [[]]])).toEqual([true, false, false, false]);
  });

  it('is checked together with the keywords next to it', () => {
    const node = { $dynamicRef: '#node', not: { required: ['x'] } };
    const tree = { $dynamicAnchor: 'node', type: 'object', properties: { child: node } };
    const values = [{ child: {} }, { child: 5 }, { child: { x: 1 } }, { child: { child: { x: 1 } } }];
    expect(areValid(tree, values)).toEqual([true, false, false, false]);
    const other = { $id: 'https://example.com/other', type: 'null' };
    expect(areValid({ ...tree, $defs: { other } }, values)).toEqual([true, false, false, false]);
  });
});
