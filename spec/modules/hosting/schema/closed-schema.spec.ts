import { Type, type TSchema } from '@sinclair/typebox';
import { Validators } from '../../../../src/modules/content-validation';
import { closedSchema } from '../../../../src/modules/hosting/schema/closed-schema';

const Price = Type.Object({ amount: Type.Number() });
const Amounts = Type.Object({ amount: Type.Number(), tax: Type.Number() });
const object = (keywords: object): TSchema => Type.Unsafe({ type: 'object', ...keywords });

describe('a closed schema', () => {
  it.each([
    ['a record', Type.Record(Type.String(), Price), { eur: { amount: 1, admin: true } }, '/eur/admin'],
    ['other members', object({ additionalProperties: Price }), { eur: { amount: 1, x: 1 } }, '/eur/x'],
    [
      'other members next to declared ones',
      object({ properties: { eur: Amounts }, additionalProperties: Price }),
      { eur: { amount: 1, tax: 1 }, usd: { amount: 1, tax: 1 } },
      '/usd/tax',
    ],
    ['unevaluated members', object({ unevaluatedProperties: Price }), { eur: { amount: 1, x: 1 } }, '/eur/x'],
    [
      'a tuple',
      { type: 'array', prefixItems: [Price, true], items: Price },
      [{ amount: 1, x: 1 }, { x: 1 }, { amount: 1, y: 1 }],
      '/0/x',
    ],
    [
      'a list in a record',
      Type.Record(Type.String(), Type.Array(Price)),
      { eur: [{ amount: 1 }, { amount: 2, x: 1 }] },
      '/eur/1/x',
    ],
    [
      'a union with text',
      object({ properties: { price: Type.Union([Price, Type.String()]) } }),
      { price: { amount: 1, x: 1 } },
      '/price/x',
    ],
    [
      'a union with text, a number and null',
      object({ properties: { price: Type.Union([Type.String(), Type.Number(), Price, Type.Null()]) } }),
      { price: { amount: 1, x: 1 } },
      '/price/x',
    ],
    [
      'a union with a list of them',
      object({ properties: { price: Type.Union([Price, Type.Array(Price)]) } }),
      { price: [{ amount: 1, x: 1 }] },
      '/price/0/x',
    ],
  ])('allows no undeclared members of objects in %s', (_, schema, value, pointer) => {
    const checked = new Validators().forBody(closedSchema(schema as TSchema))(value);
    expect('errors' in checked && checked.errors[0]).toMatchObject({ pointer, message: 'unknown member' });
    const dropped = new Validators().forBody(schema, 'drop')(value);
    expect(dropped).not.toEqual({ value });
    // What is left without undeclared members is allowed.
    const { value: left } = dropped as { value: unknown };
    expect(new Validators().forBody(closedSchema(schema as TSchema))(left)).toEqual({ value: left });
  });

  it('allows what another pattern, or the declaration of the name, allows', () => {
    const patterns = object({ patternProperties: { '^a': Price, b$: Amounts } });
    const named = object({ properties: { ab: Price }, patternProperties: { '^a': Amounts } });
    const value = { ab: { amount: 1, tax: 1 } };
    for (const schema of [patterns, named])
      expect(new Validators().forBody(closedSchema(schema))(value)).toEqual({ value });
  });

  it('is unchanged for a union of several objects, or of what may be one', () => {
    for (const branches of [
      [Price, Amounts],
      [Price, { $ref: '#/$defs/Amounts' }],
      [Price, { type: ['object', 'null'] }],
    ]) {
      const schema = object({ properties: { price: { anyOf: branches } }, $defs: { Amounts } });
      expect(closedSchema(schema)).toMatchObject({ properties: { price: { anyOf: branches } } });
      const value = { price: { amount: 1, x: 1 } };
      expect(new Validators().forBody(closedSchema(schema))(value)).toEqual({ value });
    }
  });

  it('leaves an invalid pattern to the validator', () => {
    const schema = object({ patternProperties: { '^(': Price } });
    expect(closedSchema(schema)).toBe(schema);
  });
});
