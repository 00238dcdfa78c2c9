import { Type, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { Validators } from '../../../src/modules/content-validation';

const validators = new Validators();

/** What a query becomes, or the message of what is wrong with it. */
function asked(member: TSchema | object, query: string): unknown {
  const checked = validators.forQuery({ type: 'object', properties: { of: member } })(
    new URLSearchParams(query),
  );
  if ('errors' in checked) return checked.errors.map(({ pointer, message }) => `${pointer} ${message}`);
  return (checked.value as { of?: unknown }).of;
}

const all = Type.Literal('all');

describe('a parameter that may be of several types', () => {
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
    [Type.Union([Type.Integer(), Type.Null()]), 'of=0', 0],
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
  ])('of %j takes %s for %j', (schema, query, value) => {
    expect(asked(schema, query)).toEqual(value);
  });

  it('is refused where nothing fits', () => {
    expect(asked(Type.Union([Type.Integer(), all]), 'of=some')).toContain('/of must be integer');
    expect(asked(Type.Union([Type.Integer(), all]), 'of=12345678901234567890')).toEqual([
      '/of must be an integer from -9007199254740991 to 9007199254740991',
    ]);
  });

  it('is told beside what is wrong with others', () => {
    const schema = Type.Object({ of: Type.Union([Type.Integer(), all]), other: Type.Integer() });
    const checked = validators.forQuery(schema)(new URLSearchParams('of=x&other=y'));
    const pointers = 'errors' in checked ? checked.errors.map(({ pointer }) => pointer) : [];
    expect(new Set(pointers)).toEqual(new Set(['/of', '/other']));
  });

  it('may be named in a form, and in definitions', () => {
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
  // Whole numbers that would be rounded stay text where they may.
  const isExact = (number: number): boolean => Number.isSafeInteger(number) || !Number.isInteger(number);
  const texts = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact).map(String),
    fc.constantFrom('true', 'false', '', 'all', ' 1', '0x1', '1e3', '-0'),
    fc.string(),
  );

  it('has what its text says as one of its types, and text only where nothing else fits', () => {
    const chosen = fc.uniqueArray(fc.constantFrom(...Object.values(branches)), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(chosen, texts, (some, text) => {
        const got = asked(Type.Union(some), new URLSearchParams({ of: text }).toString());
        const alone = some.map((one) => asked(one, new URLSearchParams({ of: text }).toString()));
        const fitting = alone.filter((value) => !Array.isArray(value));
        if (fitting.length === 0) expect(got).toBeInstanceOf(Array);
        else expect(fitting).toContainEqual(got);
        const others = fitting.filter((value) => typeof value !== 'string');
        if (others.length > 0) expect(typeof got).not.toBe('string');
      }),
    );
  });
});
