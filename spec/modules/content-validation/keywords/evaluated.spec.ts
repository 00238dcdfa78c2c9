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

  it('refuses no items that the matching branch declares all of', () => {
    for (const unevaluatedItems of [false, { type: 'null' }]) {
      const schema = { anyOf: [{ items: text }, { prefixItems: [true] }], unevaluatedItems };
      const isValid = (list: unknown): boolean => 'value' in new Validators().asIs(schema)(list);
      expect([['a', 'b', 'c'], [1], [1, 'b']].map(isValid)).toEqual([true, true, false]);
    }
  });

  it.each(['dependencies', 'dependentSchemas'])('accepts those that a schema with %s declares', (keyword) => {
    const tuple = { prefixItems: [text], [keyword]: { t: { required: ['x'] } } };
    const closed = { allOf: [tuple], unevaluatedItems: false };
    const isValid = (list: unknown): boolean => 'value' in new Validators().asIs(closed)(list);
    expect([['a'], ['a', 'b']].map(isValid)).toEqual([true, false]);
  });

  it('refuses items that a branch declares which an earlier list matched', () => {
    const closed = { anyOf: [{ prefixItems: [text] }, { type: 'array' }], unevaluatedItems: false };
    expect(new Validators().asIs({ items: closed })([['a'], [5]])).toMatchObject({
      errors: [{ pointer: '/1', keyword: 'unevaluatedItems' }],
    });
  });
});

describe('unevaluatedProperties', () => {
  const branch = (t: number, name: string) => ({
    properties: { t: { const: t }, [name]: text },
    required: ['t'],
  });

  describe.each(['anyOf', 'oneOf'])('of a union: %s', (keyword) => {
    const union = { [keyword]: [branch(1, 'x'), branch(2, 'y')], unevaluatedProperties: false };

    it('refuses the members of a branch that an earlier item of the list matched', () => {
      expect(
        new Validators().asIs({ items: union })([
          { t: 1, x: 'a' },
          { t: 2, x: 'a' },
        ]),
      ).toMatchObject({
        errors: [{ pointer: '/1/x', message: 'unknown member' }],
      });
    });

    it.each([{ properties: { id: text } }, { properties: { id: text, child: { $ref: '#/$defs/Base' } } }])(
      'accepts the members of a reference next to the union in each branch: %j',
      (Base) => {
        const $defs = { Base };
        const validate = new Validators().asIs({ ...union, $ref: '#/$defs/Base', $defs });
        for (const value of [
          { t: 1, x: 'a', id: '1' },
          { t: 2, y: 'a', id: '1' },
        ])
          expect(validate(value)).toEqual({ value });
      },
    );
  });

  it.each(['dependencies', 'dependentSchemas'])(
    'refuses those of %s that only an earlier item has',
    (keyword) => {
      const closed = {
        [keyword]: { t: branch(1, 'x') },
        properties: { id: text },
        unevaluatedProperties: false,
      };
      const validate = new Validators().asIs({ items: closed });
      expect(validate([{ t: 1, x: 'a', id: '1' }, { id: '1' }])).toHaveProperty('value');
      expect(validate([{ t: 1, x: 'a' }, { x: 'a' }])).toMatchObject({ errors: [{ pointer: '/1/x' }] });
    },
  );

  it.each([{}, { else: { properties: { y: text } } }])(
    'refuses those of an if that fails: with %j',
    (otherwise) => {
      const { required, ...then } = branch(1, 'x');
      const condition = { if: { properties: { t: { const: 1 } }, required }, then, ...otherwise };
      const closed = { properties: { id: text }, ...condition, unevaluatedProperties: false };
      const validate = new Validators().asIs({ items: closed });
      const valid = [{ t: 1, x: 'a', id: '1' }, { id: '1' }];
      expect(validate(valid)).toEqual({ value: valid });
      expect(validate([{ t: 1, x: 'a' }, { x: 'a' }, { t: 2 }])).toMatchObject({
        errors: [{ pointer: '/1/x' }, { pointer: '/2/t' }],
      });
    },
  );

  it('accepts those of a condition that is met, without then and else', () => {
    const condition = { if: { properties: { t: { const: 1 } }, required: ['t'] } };
    for (const keywords of [condition, { ...condition, then: true, else: {} }, { allOf: [condition] }]) {
      const validate = new Validators().asIs({ ...keywords, unevaluatedProperties: false });
      const results = [{ t: 1 }, {}, { t: 2 }, { t: 1, x: 1 }].map((value) => 'value' in validate(value));
      expect(results).toEqual([true, true, false, false]);
    }
    const list = { if: { prefixItems: [text] }, unevaluatedItems: false };
    const validate = new Validators().asIs(list);
    expect([['a'], [], [1], ['a', 'b']].map((value) => 'value' in validate(value))).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  it.each([
    { anyOf: [{ required: ['id'] }, { required: ['x'] }] },
    { oneOf: [{ required: ['id'] }, { required: ['x'] }] },
    { if: { properties: { id: { const: 'a' } } }, then: { required: ['id'] } },
    { dependentSchemas: { id: { required: ['id'] } } },
    { patternProperties: { '^x': text } },
  ])('refuses members with the names of those that every object inherits: %j', (keywords) => {
    const validate = new Validators().asIs({
      properties: { id: text },
      ...keywords,
      unevaluatedProperties: false,
    });
    expect(validate({ id: 'a' })).toHaveProperty('value');
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(validate(JSON.parse(`{"id":"a","${name}":1}`))).toMatchObject({
        errors: [{ pointer: `/${name}`, message: 'unknown member' }],
      });
  });

  it('reports no members of a reference as unknown if another one is invalid', () => {
    const names = Array.from({ length: 25 }, (_, at) => `member${at}`);
    const Base = { properties: Object.fromEntries(names.map((name) => [name, text])) };
    const closed = { $ref: '#/$defs/Base', unevaluatedProperties: false, $defs: { Base } };
    expect(new Validators().asIs(closed)({ member0: 5, member1: 'a' })).toEqual({
      errors: [{ pointer: '/member0', keyword: 'type', message: 'must be string' }],
    });
  });

  it('accepts a member __proto__ that a pattern declares', () => {
    const closed = { patternProperties: { '^_': true }, unevaluatedProperties: false };
    expect(new Validators().asIs(closed)(JSON.parse('{"__proto__":1}'))).toHaveProperty('value');
  });

  it('refuses members that another schema with the same shared definition declares', () => {
    const $defs = { Base: { properties: { id: text, child: { $ref: '#/$defs/Base' } } } };
    const validators = new Validators().withDefinitions($defs);
    const closed = { $ref: '#/$defs/Base', unevaluatedProperties: false, $defs };
    const isValid = (value: unknown): boolean => 'value' in validators.asIs(closed)(value);
    const other = {
      $ref: '#/$defs/Base',
      anyOf: [branch(1, 'x'), branch(2, 'y')],
      unevaluatedProperties: false,
    };
    const value = { t: 1, x: 'a', id: '1' };
    expect(validators.asIs({ ...other, $defs })(value)).toEqual({ value });
    expect([isValid({ id: '1' }), isValid({ x: 'a' })]).toEqual([true, false]);
  });
});
