import { Type } from '@sinclair/typebox';
import { immutable } from '../../../../src/framework';
import { Validators } from '../../../../src/modules/content-validation';

const colour = Type.Union([
  Type.Literal('red', { title: 'Red', description: 'As a rose.' }),
  Type.Literal('green', { description: 'As grass.' }),
]);

function errorsOf(schema: object, value: unknown) {
  const checked = new Validators().forBody(schema)(value);
  return 'errors' in checked ? checked.errors : [];
}

describe('a union of literals with descriptions', () => {
  it.each(['blue', 5, null])('reports one error that lists the values for %p', (value) => {
    expect(errorsOf(Type.Object({ colour }), { colour: value })).toEqual([
      { pointer: '/colour', keyword: 'enum', message: 'must be one of: red, green' },
    ]);
  });

  it('reports one error for each item of a list', () => {
    expect(errorsOf(Type.Array(colour), ['red', 'blue', 'pink'])).toEqual([
      { pointer: '/1', keyword: 'enum', message: 'must be one of: red, green' },
      { pointer: '/2', keyword: 'enum', message: 'must be one of: red, green' },
    ]);
  });

  it('lists null among the values, in oneOf too', () => {
    const schema = {
      oneOf: [
        { const: 1, title: 'One' },
        { type: 'null', description: 'None.' },
      ],
    };
    expect(errorsOf(schema, 2)).toEqual([
      { pointer: '', keyword: 'enum', message: 'must be one of: 1, null' },
    ]);
  });

  it('is coerced in a query', () => {
    const query = Type.Object({
      level: Type.Union([Type.Literal(1, { title: 'Low' }), Type.Literal(2, { title: 'High' })]),
    });
    const validate = new Validators().forQuery(query);
    expect(validate(new URLSearchParams('level=2'))).toEqual({ value: { level: 2 } });
    expect(validate(new URLSearchParams('level=3'))).toEqual({
      errors: [{ pointer: '/level', keyword: 'enum', message: 'must be one of: 1, 2' }],
    });
  });
});

describe('a union of thousands of literals with descriptions', () => {
  const codes = Array.from({ length: 3_000 }, (_, at) => Type.Literal(`c${at}`, { title: `Code ${at}` }));
  const code = Type.Union([...codes, Type.Null({ title: 'None' })]);
  const schema = Type.Object({ code });
  const inDefinition = {
    type: 'object',
    properties: { code: { $ref: '#/$defs/Code' } },
    $defs: { Code: code },
  };

  it.each([schema, inDefinition])('is validated as a smaller one is: schema %#', (one) => {
    for (const value of ['c2999', null]) expect(errorsOf(one, { code: value })).toEqual([]);
    for (const value of ['c3000', 5]) {
      expect(errorsOf(one, { code: value })).toEqual([
        {
          pointer: '/code',
          keyword: 'enum',
          message: expect.stringMatching(/^must be one of: c0, c1, /) as unknown,
        },
      ]);
    }
  });

  it('is validated among the shared schemas of a version', () => {
    const definitions = { Code: immutable(code) };
    const shared = { type: 'object', properties: { code: { $ref: '#/$defs/Code' } }, $defs: definitions };
    const validate = new Validators().withDefinitions(definitions).forBody(shared);
    expect(validate({ code: 'c1' })).toEqual({ value: { code: 'c1' } });
    expect(validate({ code: 'c' })).toHaveProperty('errors.0.keyword', 'enum');
  });

  it('is validated where another schema refers to one of its literals', () => {
    const sixty = Type.Union(codes.slice(0, 60));
    const properties = { code: sixty, first: { $ref: '#/properties/code/anyOf/3' } };
    const referring = { type: 'object', properties };
    expect(errorsOf(referring, { code: 'c59', first: 'c3' })).toEqual([]);
    expect(errorsOf(referring, { code: 'c60' })).toHaveLength(1);
  });

  it('is coerced in a query', () => {
    const levels = Array.from({ length: 3_000 }, (_, at) => Type.Literal(at, { title: `Level ${at}` }));
    const validate = new Validators().forQuery(Type.Object({ level: Type.Union(levels) }));
    expect(validate(new URLSearchParams('level=2999'))).toEqual({ value: { level: 2_999 } });
    expect(validate(new URLSearchParams('level=3000'))).toHaveProperty('errors.0.keyword', 'enum');
  });
});

it('reports more than the values of an enum that is declared in a union, of which others may be valid', () => {
  const none = { type: 'string', enum: ['none', 'all'] };
  const own = { anyOf: [none, { $ref: '#/$defs/Own' }], $defs: { Own: { type: 'string', pattern: '^x' } } };
  expect(errorsOf(own, 'foo').map(({ keyword }) => keyword)).toContain('anyOf');
  const overlapping = { oneOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] };
  expect(errorsOf(overlapping, 'b').map(({ keyword }) => keyword)).toContain('oneOf');
});

it('reports every branch of a union of other schemas', () => {
  const schema = Type.Union([Type.Literal('none'), Type.Number(), Type.Object({ to: Type.String() })]);
  expect(errorsOf(schema, true).map(({ keyword }) => keyword)).toEqual([
    'type',
    'const',
    'type',
    'type',
    'anyOf',
  ]);
});
