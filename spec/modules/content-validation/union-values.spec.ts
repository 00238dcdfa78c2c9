import { Type, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { Validators } from '../../../src/modules/content-validation';

const validators = new Validators();

/** Returns the parsed value of a query, or the message of its error. */
function parsed(member: TSchema | object, query: string): unknown {
  const checked = validators.forQuery({ type: 'object', properties: { of: member } })(
    new URLSearchParams(query),
  );
  if ('errors' in checked) return checked.errors.map(({ pointer, message }) => `${pointer} ${message}`);
  return (checked.value as { of?: unknown }).of;
}

const all = Type.Literal('all');
const OF_LEAST: unknown = expect.objectContaining({ pointer: '/of', message: 'must be >= 5' });

describe('a parameter of several types', () => {
  it('is restricted by each part of an intersection that declares it', () => {
    const part = (minimum: number): TSchema =>
      Type.Object({ of: Type.Optional(Type.Union([Type.Integer({ minimum }), all])) });
    const validate = validators.forQuery({ allOf: [part(1), part(5), part(2)] });
    const valueOf = (query: string): unknown => validate(new URLSearchParams(query));
    expect(valueOf('of=7')).toEqual({ value: { of: 7 } });
    expect(valueOf('of=all')).toEqual({ value: { of: 'all' } });
    expect(valueOf('of=3')).toHaveProperty('errors', expect.arrayContaining([OF_LEAST]));
  });

  it.each([
    [Type.Union([Type.Integer(), all]), 'of=5', 5],
    [Type.Union([all, Type.Integer()]), 'of=5', 5],
    [Type.Union([Type.Integer(), all]), 'of=all', 'all'],
    [{ anyOf: [{ type: 'integer' }, { const: 'all' }] }, 'of=5', 5],
    [{ oneOf: [{ type: 'integer' }, { enum: ['all', 'none'] }] }, 'of=none', 'none'],
    [{ type: ['string', 'integer'] }, 'of=5', 5],
    [Type.Union([Type.String(), Type.Integer()]), 'of=5', 5],
    [Type.Union([Type.Integer({ maximum: 4 }), Type.String()]), 'of=5', '5'],
    [Type.Union([Type.Number(), Type.Boolean()]), 'of=1', 1],
    [Type.Union([Type.Number(), Type.Boolean()]), 'of=false', false],
    [Type.Union([Type.Boolean(), Type.String()]), 'of=true', true],
    [{ enum: [1, 2] }, 'of=1', 1],
    [{ const: 1 }, 'of=1', 1],
    [{ enum: [true] }, 'of=true', true],
    [{ type: 'array', items: { enum: [1, 2] } }, 'of=1&of=2', [1, 2]],
    [{ enum: [1, 2] }, 'of=3', ['/of must be one of: 1, 2']],
    [Type.Union([Type.Integer(), Type.Null()]), 'of=0', 0],
    [{ type: ['string', 'null'], enum: ['a', null] }, 'of=', null],
    [{ type: ['string', 'null'], enum: ['a', null] }, 'of=a', 'a'],
    [{ type: ['string', 'null'], enum: ['', 'a', null] }, 'of=', ''],
    [{ type: ['string', 'null'] }, 'of=', ''],
    [{ type: 'array', items: { type: ['string', 'null'], enum: ['a', null] } }, 'of=', [null]],
    [{ type: 'array', items: { type: ['string', 'null'], enum: ['a', null] } }, 'of=&of=a', [null, 'a']],
    [Type.Union([Type.Integer(), Type.Null()]), 'of=', null],
    [{ type: ['string', 'null'] }, 'of=', ''],
    [Type.Union([Type.Integer(), Type.String()]), 'of=0x10', '0x10'],
    [Type.Union([Type.Integer(), Type.String()]), 'of=12345678901234567890', '12345678901234567890'],
    [Type.Union([Type.Integer(), Type.String()]), 'of=%205', ' 5'],
    [Type.Union([Type.Integer(), Type.Array(Type.Integer())]), 'of=5', 5],
    [Type.Union([Type.Integer(), Type.Array(Type.Integer())]), 'of=5&of=6', [5, 6]],
    [Type.Union([all, Type.Array(Type.Integer())]), 'of=5', [5]],
    [Type.Array(Type.Union([Type.Integer(), all])), 'of=5&of=all', [5, 'all']],
    [Type.Array(Type.Union([Type.Integer(), all])), 'of=5', [5]],
    [Type.Union([Type.Integer(), all], { default: 3 }), '', 3],
    [Type.Union([Type.Integer(), all], { default: 'all' }), '', 'all'],
  ])('of %j reads %s as %j', (schema, query, value) => {
    expect(parsed(schema, query)).toEqual(value);
  });

  it('is rejected if no type matches', () => {
    expect(parsed(Type.Union([Type.Integer(), all]), 'of=some')).toContain('/of must be integer');
    expect(parsed(Type.Union([Type.Integer(), all]), 'of=12345678901234567890')).toEqual([
      '/of must be an integer from -9007199254740991 to 9007199254740991',
    ]);
  });

  it('is reported by item if it is a list', () => {
    const list = { type: 'array', items: { type: ['string', 'null'], enum: ['a', null] } };
    expect(parsed(list, 'of=c')).toEqual(['/of/0 must be one of: a, null']);
  });

  it('is reported together with the errors of other parameters', () => {
    const schema = Type.Object({ of: Type.Union([Type.Integer(), all]), other: Type.Integer() });
    const checked = validators.forQuery(schema)(new URLSearchParams('of=x&other=y'));
    const pointers = 'errors' in checked ? checked.errors.map(({ pointer }) => pointer) : [];
    expect(new Set(pointers)).toEqual(new Set(['/of', '/other']));
  });

  it.each([
    [Type.Union([Type.String(), Type.Integer()]), '5', 5],
    [Type.Union([Type.Integer(), all]), 'all', 'all'],
    [Type.Union([Type.Integer(), Type.String()]), 'x', 'x'],
    [Type.Union([Type.Integer(), Type.Boolean()]), 'true', true],
    [{ enum: [1, 2] }, '1', 1],
    [Type.Union([Type.Integer(), all], { default: 3 }), undefined, 3],
  ])('of %j reads %j in a form of an intersection as %j', (member, text, value) => {
    const part = { type: 'object', properties: { of: member } };
    const others = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };
    const sent = { count: '2', ...(text === undefined ? {} : { of: text }) };
    const nested = { allOf: [others, { allOf: [{ $ref: '#/$defs/Part' }] }], $defs: { Part: part } };
    for (const schema of [{ allOf: [part, others] }, { ...others, allOf: [part] }, nested])
      expect(validators.forForm(schema)(sent)).toEqual({ value: { count: 2, of: value } });
    expect(validators.forForm({ allOf: [part, others] })({ of: text ?? '1' })).toHaveProperty('errors');
  });

  it.each([
    [
      'refers to the schema of another member',
      {
        allOf: [
          { type: 'object', properties: { kind: { type: 'string', minLength: 2 } } },
          {
            type: 'object',
            properties: { of: { anyOf: [{ $ref: '#/allOf/0/properties/kind' }, { type: 'integer' }] } },
          },
        ],
      },
    ],
    [
      'refers to a definition that does so',
      {
        type: 'object',
        properties: { kind: { type: 'string', minLength: 2 }, of: { $ref: '#/$defs/Some' } },
        $defs: { Some: { anyOf: [{ $ref: '#/properties/kind' }, { type: 'integer' }] } },
      },
    ],
    [
      'refers to the schema of another union',
      {
        type: 'object',
        properties: {
          kind: { anyOf: [{ type: 'integer' }, { type: 'string', minLength: 2 }] },
          of: { $ref: '#/properties/kind' },
        },
      },
    ],
    [
      'belongs to the definition of the form',
      {
        $ref: '#/$defs/Part',
        $defs: {
          Part: {
            type: 'object',
            properties: { kind: { type: 'string' }, of: Type.Union([Type.String(), Type.Integer()]) },
            required: ['kind'],
          },
        },
      },
    ],
    [
      'is declared next to a reference',
      {
        $ref: '#/$defs/Part',
        properties: { of: { enum: [5, 6] } },
        $defs: { Part: { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] } },
      },
    ],
  ])('is converted in a form if it %s', (_, schema) => {
    const validate = validators.forForm(schema);
    expect(validate({ kind: 'ab', of: '5' })).toEqual({ value: { kind: 'ab', of: 5 } });
    expect(validate({ of: '' })).toHaveProperty('errors');
  });

  it('works in forms, and in definitions', () => {
    const schema = {
      type: 'object',
      properties: { of: { $ref: '#/$defs/Some' } },
      required: ['of'],
      $defs: { Some: { anyOf: [{ type: 'integer' }, { const: 'all' }] } },
    };
    expect(validators.forForm(schema)({ of: '5' })).toEqual({ value: { of: 5 } });
    expect(validators.forForm(schema)({})).toHaveProperty('errors');
  });

  const branches = {
    integer: Type.Integer(),
    number: Type.Number(),
    boolean: Type.Boolean(),
    string: Type.String(),
    null: Type.Null(),
    literal: Type.Literal('all'),
  };
  // Integers that would be rounded stay text if text is allowed.
  const isExact = (number: number): boolean => Number.isSafeInteger(number) || !Number.isInteger(number);
  const texts = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact).map(String),
    fc.constantFrom('true', 'false', '', 'all', ' 1', '0x1', '1e3', '-0'),
    fc.string(),
  );

  it('prefers other types to text', () => {
    const chosen = fc.uniqueArray(fc.constantFrom(...Object.values(branches)), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(chosen, texts, (some, text) => {
        const got = parsed(Type.Union(some), new URLSearchParams({ of: text }).toString());
        const alone = some.map((one) => parsed(one, new URLSearchParams({ of: text }).toString()));
        const fitting = alone.filter((value) => !Array.isArray(value));
        if (fitting.length === 0) expect(got).toBeInstanceOf(Array);
        else expect(fitting).toContainEqual(got);
        const others = fitting.filter((value) => typeof value !== 'string');
        if (others.length > 0) expect(typeof got).not.toBe('string');
      }),
    );
  });
});
