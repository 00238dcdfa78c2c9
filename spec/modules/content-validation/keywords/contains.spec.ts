import { Validators } from '../../../../src/modules/content-validation';

const text = { type: 'string' };
const number = { type: 'number' };
const has = { contains: number };
const closed = { unevaluatedItems: false };
const areValid = (schema: object, values: readonly unknown[]): readonly boolean[] => {
  const validate = new Validators().asIs(schema);
  return values.map((value) => 'value' in validate(value));
};

describe('contains', () => {
  const invalid = [
    [[1], []],
    [[], [1]],
    [[1], ['a']],
  ];

  it.each([{}, { minContains: 1 }])('refuses an empty list after one that has the item: %j', (bounds) => {
    const schema = { items: { contains: number, ...bounds } };
    expect(areValid(schema, [...invalid, [[1], [2]], []])).toEqual([false, false, false, true, true]);
  });

  it('accepts an empty list where no item is required', () => {
    const schema = { items: { contains: number, minContains: 0, maxContains: 1 } };
    expect(
      areValid(schema, [
        [[1], []],
        [[], [1]],
        [[1, 2], []],
      ]),
    ).toEqual([true, true, false]);
  });

  it('says how many items are missing, or too many', () => {
    const errorsOf = (schema: object, value: unknown): unknown => new Validators().asIs(schema)(value);
    expect(errorsOf({ contains: number, minContains: 2 }, [1])).toMatchObject({
      errors: [{ keyword: 'contains', message: 'must contain at least 2 valid item(s)' }],
    });
    expect(errorsOf({ contains: true, maxContains: 1 }, [1, 2])).toMatchObject({
      errors: [{ message: 'must contain at least 1 and no more than 1 valid item(s)' }],
    });
  });
});

describe('unevaluatedItems', () => {
  const refused = ['x', true];

  it.each<[string, object]>([
    ['next to it', has],
    ['in allOf', { allOf: [has] }],
    ['in a definition', { $ref: '#/$defs/Has', $defs: { Has: has } }],
    ['in a branch that matches', { anyOf: [has, { maxItems: 0 }] }],
    ['in the only branch that matches', { oneOf: [has, { maxItems: 0 }] }],
    ['in a condition', { if: has }],
    ['in what follows from a condition', { if: true, then: has }],
    ['with another bound', { ...has, minContains: 1, maxContains: 9 }],
    ['with no lower bound', { ...has, minContains: 0 }],
  ])('refuses the items that do not match a contains %s', (_place, keywords) => {
    const values = [[1], [1, 2], [1, 'x'], ['x', 1], ['x'], [[1], 1]];
    expect(areValid({ type: 'array', ...keywords, ...closed }, values)).toEqual([
      ...[true, true],
      ...[false, false, false, false],
    ]);
    const others = { ...keywords, unevaluatedItems: text };
    const isRequired =
      !('if' in keywords && keywords.if === has) &&
      !('minContains' in keywords && keywords.minContains === 0);
    const none = 'anyOf' in keywords || 'oneOf' in keywords || isRequired;
    expect(areValid(others, [[1, 'x'], ['x', 1, 'y'], [1, true], ['x']])).toEqual([true, true, false, !none]);
  });

  it.each<[string, object]>([
    ['of another part', { allOf: [has, closed] }],
    ['of a branch that does not match', { anyOf: [{ ...has, maxItems: 0 }, true], ...closed }],
    ['that is negated', { not: { not: has }, ...closed }],
    ['of a condition that is not met', { if: { ...has, maxItems: 0 }, ...closed }],
  ])('refuses the items that match a contains %s', (_place, schema) => {
    expect(areValid(schema, [[1], [1, ...refused]])).toEqual([false, false]);
  });

  it('accepts all items that match one of several', () => {
    const several = { ...closed, prefixItems: [text], allOf: [has, { contains: { type: 'boolean' } }] };
    expect(
      areValid({ items: several }, [
        [
          ['a', 1, true],
          ['b', true, 2, 3],
        ],
        [
          ['a', 1, true],
          ['b', true, 2, 'c'],
        ],
        [['a', 1, true, null]],
      ]),
    ).toEqual([true, false, false]);
    expect(areValid({ contains: true, ...closed }, [[1, 'x'], []])).toEqual([true, false]);
  });

  it('names the position of the first that does not match', () => {
    expect(new Validators().asIs({ ...has, ...closed })([1, 'x', 2])).toMatchObject({
      errors: [{ pointer: '', keyword: 'unevaluatedItems', message: 'must NOT have the item at position 1' }],
    });
  });
});
