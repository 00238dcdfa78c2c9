import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { Validators } from '../../../../src/modules/content-validation';

const Circle = Type.Object({ kind: Type.Literal('circle'), radius: Type.Number({ minimum: 0 }) });
const Square = Type.Object({ kind: Type.Literal('square'), side: Type.Number() });
const Polygon = Type.Object({
  kind: Type.Union([Type.Literal('triangle'), Type.Literal('pentagon')]),
  corners: Type.Array(Type.Number()),
});

function errorsOf(schema: object, value: unknown, validators = new Validators()) {
  const checked = validators.forBody(schema)(value);
  return 'errors' in checked ? checked.errors.map(({ pointer, message }) => `${pointer} ${message}`) : [];
}

describe.each(['anyOf', 'oneOf'])('%s with a constant member in each branch', (keyword) => {
  const shape = { [keyword]: [Circle, Square] };

  it('reports the errors of the branch that the value names', () => {
    expect(errorsOf(shape, { kind: 'circle', radius: -1 })).toEqual(['/radius must be >= 0']);
    expect(errorsOf(shape, { kind: 'square' })).toEqual(['/side is required']);
  });

  it('lists the constants if the value names no branch', () => {
    expect(errorsOf(shape, { kind: 'oval', radius: 'wide' })).toEqual([
      '/kind must be one of: circle, square',
    ]);
    expect(errorsOf(shape, { radius: 1 })).toEqual(['/kind is required']);
    expect(errorsOf(shape, 'circle')).toEqual([' must be object']);
  });

  it('does so at every depth, and for each item of a list', () => {
    const drawing = Type.Object({
      layers: Type.Array(Type.Object({ shapes: Type.Array(Type.Unsafe(shape)) })),
    });
    const shapes = [{ kind: 'circle' }, { kind: 'square', side: 1 }, { kind: 'square', side: 'a' }];
    expect(errorsOf(drawing, { layers: [{ shapes }] })).toEqual([
      '/layers/0/shapes/0/radius is required',
      '/layers/0/shapes/2/side must be number',
    ]);
  });
});

it('reports the branch of a constant that is not required, as in a merge patch', () => {
  const patch = Type.Union([Type.Partial(Circle), Type.Partial(Square)]);
  expect(errorsOf(patch, { kind: 'circle', radius: -1 })).toEqual(['/radius must be >= 0']);
  expect(errorsOf(patch, { kind: 'oval', radius: 1 })).toEqual(['/kind must be one of: circle, square']);
  expect(errorsOf(patch, { radius: -1, side: 'a' })).toEqual([
    '/radius must be >= 0',
    '/side must be number',
    ' must match a schema in anyOf',
  ]);
  expect(errorsOf(patch, 'circle')).toEqual([' must be object']);
  expect(errorsOf(patch, { radius: 1 })).toEqual([]);
});

it('reports the errors of the only branch', () => {
  expect(errorsOf({ anyOf: [Circle] }, { kind: 'circle', radius: -1 })).toEqual(['/radius must be >= 0']);
  expect(errorsOf({ oneOf: [{ anyOf: [Circle, Square] }] }, { kind: 'square' })).toEqual([
    '/side is required',
  ]);
});

it('reports the errors of the branch, and those of the other keywords of the schema', () => {
  const named = { anyOf: [Circle, Square], allOf: [{ properties: { name: { type: 'string' } } }] };
  expect(errorsOf(named, { kind: 'circle', radius: -1, name: 1 }).sort()).toEqual([
    '/name must be string',
    '/radius must be >= 0',
  ]);
});

it('reports the branch of one of several constants', () => {
  const shape = {
    anyOf: [
      Circle,
      { ...Polygon, properties: { ...Polygon.properties, kind: { enum: ['triangle', 'pentagon'] } } },
    ],
  };
  expect(errorsOf(shape, { kind: 'pentagon', corners: ['a'] })).toEqual(['/corners/0 must be number']);
  expect(errorsOf(shape, { kind: 'square' })).toEqual(['/kind must be one of: circle, triangle, pentagon']);
});

it('reports the errors of the object if the alternative is null, a text or a list', () => {
  const point = Type.Object({ x: Type.Number(), y: Type.Number() });
  const place = Type.Union([point, Type.Null(), Type.String(), Type.Array(Type.Number(), { maxItems: 2 })]);
  expect(errorsOf(place, { x: 1 })).toEqual(['/y is required']);
  expect(errorsOf(place, [1, 2, 3])).toEqual([' must have at most 2 items']);
  expect(errorsOf(place, 5)).toEqual([
    ' must be object',
    ' must be null',
    ' must be string',
    ' must be array',
    ' must match a schema in anyOf',
  ]);
});

it('chooses among objects by their constant where null is allowed as well', () => {
  const shape = Type.Union([Circle, Square, Type.Null()]);
  expect(errorsOf(shape, { kind: 'square', side: null })).toEqual(['/side must be number']);
});

describe('a union of references', () => {
  const Card = Type.Object({ kind: Type.String(), number: Type.String() });
  const Cash = Type.Object({ kind: Type.String(), amount: Type.Number() });
  const payment = {
    oneOf: [{ $ref: '#/$defs/Card' }, { $ref: '#/$defs/Cash' }],
    discriminator: { propertyName: 'kind', mapping: { credit: '#/$defs/Card', debit: 'Card' } },
    $defs: { Card, Cash },
  };

  it('reports the branch of its discriminator', () => {
    expect(errorsOf(payment, { kind: 'debit', amount: 'a' })).toEqual(['/number is required']);
    expect(errorsOf(payment, { kind: 'Cash', amount: 'a' })).toEqual(['/amount must be number']);
  });

  it('reports all branches if it names none, and none if another one accepts the value', () => {
    expect(errorsOf(payment, { kind: 'cheque' })).toEqual([
      '/number is required',
      '/amount is required',
      ' must match exactly one schema in oneOf',
    ]);
    const order = Type.Object({ payment: Type.Unsafe(payment), size: Type.Number() });
    const given = { payment: { kind: 'Cash', number: '1' }, size: 'a' };
    expect(errorsOf({ ...order, $defs: { Card, Cash } }, given)).toEqual(['/size must be number']);
  });

  it('reports the branch of its discriminator among a thousand', () => {
    const named = Array.from({ length: 1_000 }, (_, at): [string, object] => [
      `Kind${at}`,
      Type.Object({ kind: Type.String(), [`size${at}`]: Type.Number() }),
    ]);
    const $defs = Object.fromEntries(named);
    const kinds = {
      oneOf: Object.keys($defs).map((name) => ({ $ref: `#/$defs/${name}` })),
      discriminator: { propertyName: 'kind' },
      $defs,
    };
    const validators = new Validators();
    expect(errorsOf(kinds, { kind: 'Kind999' }, validators)).toEqual(['/size999 is required']);
    expect(errorsOf(kinds, { kind: 'Kind7', size7: 'x' }, validators)).toEqual(['/size7 must be number']);
    expect(errorsOf(kinds, { kind: 'Kind7', size8: 1 }, validators)).toEqual([]);
    expect(errorsOf(kinds, { kind: 'other' }, validators).length).toBe(1_001);
  });

  it('prefers the constants of its branches to the names of the discriminator', () => {
    const Cat = Type.Object({ t: Type.Literal('cat') });
    const Dog = { ...Type.Object({ b: Type.Number() }), required: ['t', 'b'] };
    const $defs = {
      Cat,
      Dog: { ...Dog, properties: { ...Dog.properties, t: { enum: ['dog', 'puppy'] } } },
    };
    const pet = {
      oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
      discriminator: { propertyName: 't', mapping: { cat: '#/$defs/Cat', dog: '#/$defs/Dog' } },
      $defs,
    };
    expect(errorsOf(pet, { t: 'puppy', b: 'x' })).toEqual(['/b must be number']);
    expect(errorsOf(pet, { t: 'cow' })).toEqual(['/t must be one of: cat, dog, puppy']);
  });

  it('reports that several branches match, whichever the discriminator names', () => {
    expect(errorsOf(payment, { kind: 'Cash', number: '1', amount: 1 })).toEqual([
      ' matches more than one of the schemas in oneOf',
    ]);
  });

  it('reports the branch of a constant in shared definitions, also in recursive ones', () => {
    const definitions = {
      Node: { anyOf: [{ $ref: '#/$defs/Leaf' }, { $ref: '#/$defs/Pair' }] },
      Leaf: Type.Object({ kind: Type.Literal('leaf'), value: Type.Number() }),
      Pair: {
        allOf: [
          { $ref: '#/$defs/Base' },
          { type: 'object', required: ['left'], properties: { left: { $ref: '#/$defs/Node' } } },
        ],
      },
      Base: Type.Object({ kind: Type.Literal('pair') }),
    };
    const validators = new Validators().withDefinitions(definitions);
    const schema = { $ref: '#/$defs/Node', $defs: definitions };
    const value = { kind: 'pair', left: { kind: 'pair', left: { kind: 'leaf', value: 'a' } } };
    for (const each of [validators, new Validators()])
      expect(errorsOf(schema, value, each)).toEqual(['/left/left/value must be number']);
  });
});

it('reports what a reference into a union refuses', () => {
  const schema = {
    type: 'object',
    properties: { a: { anyOf: [Circle, Square] }, b: { $ref: '#/properties/a/anyOf/0' } },
  };
  expect(errorsOf(schema, { b: { kind: 'circle' } })).toEqual(['/b/radius is required']);
  const definitions = {
    Shape: { anyOf: [Circle, Square] },
    Round: { $ref: '#/$defs/Shape/anyOf/0' },
  };
  const validators = new Validators().withDefinitions(definitions);
  const either = { properties: { it: { anyOf: [{ $ref: '#/$defs/Round' }, { type: 'null' }] } } };
  const errors = errorsOf({ ...either, $defs: definitions }, { it: { kind: 'circle' } }, validators);
  expect(errors).toContain('/it/radius is required');
});

it('reports members with a default that validation requires, with the other errors', () => {
  const sized = Type.Object({ kind: Type.Literal('sized'), size: Type.Number({ default: 5 }) });
  const schema = Type.Object({ it: Type.Union([sized, Circle]), b: Type.Number() });
  expect(errorsOf(schema, { it: { kind: 'sized' }, b: 'x' })).toEqual([
    '/it/size is required',
    '/b must be number',
  ]);
});

it('reports nothing about null where a branch is nullable', () => {
  const either = { anyOf: [{ type: 'object', nullable: true }, { type: 'string' }] };
  const schema = { type: 'object', properties: { a: either, b: { type: 'number' } } };
  expect(errorsOf(schema, { a: null, b: 'x' })).toEqual(['/b must be number']);
});

it('reports every branch of a form, whose texts are converted', () => {
  const checked = new Validators().forForm(Type.Union([Circle, Square]))({ kind: 'circle', radius: 'a' });
  expect('errors' in checked && checked.errors.length).toBeGreaterThan(1);
});

it('has no error of a condition besides those of its branch', () => {
  const schema = {
    type: 'object',
    if: { properties: { country: { const: 'US' } }, required: ['country'] },
    then: { required: ['state'] },
  };
  expect(errorsOf(schema, { country: 'US' })).toEqual(['/state is required']);
  expect(errorsOf({ if: true, then: false }, 1)).toEqual([' boolean schema is false']);
});

it('reports errors of each value that is not accepted, and those of a single branch', () => {
  const scalar = fc.constantFrom<unknown>('a', 'b', 1, null, true);
  const branch = (kind: unknown) => ({
    type: 'object',
    properties: { kind: { const: kind }, a: { type: 'string' }, b: { type: 'integer' } },
    required: ['kind', 'b'],
  });
  const branches = [branch('a'), branch(1), { type: 'null' }, { type: 'array', items: { type: 'string' } }];
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 2 }),
    fc.record({ kind: scalar, a: scalar, b: scalar }, { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('anyOf', 'oneOf'),
      fc.subarray(branches, { minLength: 2 }),
      value,
      (keyword, some, given) => {
        const accepted = some.some((one) => errorsOf(one, given).length === 0);
        const errors = errorsOf({ [keyword]: some }, given);
        expect(errors.length === 0).toBe(accepted);
        const kind: unknown =
          typeof given === 'object' && given !== null ? Reflect.get(given, 'kind') : undefined;
        const named = some.find((one) => 'required' in one && one.properties.kind.const === kind);
        if (named !== undefined) expect(errors).toEqual(errorsOf(named, given));
      },
    ),
  );
});
