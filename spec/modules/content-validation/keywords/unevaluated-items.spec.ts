import { Validators } from '../../../../src/modules/content-validation';

const text = { type: 'string' };
/** Says nothing about the items of a list. It becomes a function, because it refers to itself. */
const Tree = { properties: { child: { $ref: '#/$defs/Tree' } } };
const definitions = { Tree };

describe('unevaluatedItems', () => {
  const schemas: readonly [string, object, readonly unknown[]][] = [
    ['a branch that does not match', { anyOf: [{ prefixItems: [text] }, { type: 'array' }] }, ['a']],
    ['another branch', { oneOf: [{ prefixItems: [text] }, { prefixItems: [{ type: 'null' }] }] }, [null]],
    ['no part of a reference', { $ref: '#/$defs/Tree' }, []],
  ];
  const shared = new Validators().withDefinitions(definitions);

  it.each(schemas)('refuses the items that only %s declares', (_declaring, schema, valid) => {
    for (const validators of [new Validators(), shared]) {
      const closed = { type: 'array', ...schema, unevaluatedItems: false, $defs: definitions };
      const isValid = (list: unknown): boolean => 'value' in validators.asIs(closed)(list);
      expect([isValid(valid), isValid([...valid, 5]), isValid([5])]).toEqual([true, false, false]);
      const numbers = { ...closed, unevaluatedItems: { type: 'number' } };
      const areNumbers = (list: unknown): boolean => 'value' in validators.asIs(numbers)(list);
      const results = [valid, [...valid, 5], [5], [...valid, true], [true]].map(areNumbers);
      expect(results).toEqual([true, true, !('oneOf' in schema), false, false]);
    }
  });

  it('reports how many items are allowed', () => {
    const closed = { anyOf: [{ prefixItems: [text] }, { type: 'array' }], unevaluatedItems: false };
    expect(new Validators().asIs(closed)([5, 6])).toEqual({
      errors: [{ pointer: '', keyword: 'unevaluatedItems', message: 'must NOT have more than 0 items' }],
    });
  });
});
