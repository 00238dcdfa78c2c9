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

  it('leaves an invalid pattern to the validator', () => {
    const schema = object({ patternProperties: { '^(': Price } });
    expect(closedSchema(schema)).toBe(schema);
  });
});
