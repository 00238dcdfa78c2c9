import { Type, type TSchema } from '@sinclair/typebox';
import { growthOf } from '../../../factories/measure/cpu-time';
import { requestSchemas, responseSchema } from '../../../../src/modules/hosting/members/schema-variants';

const request = (schema: object) =>
  requestSchemas(schema as TSchema, { fillsDefaults: true, readOnlyMembers: 'ignore' }).documented;
const response = (schema: object) => responseSchema(schema as TSchema);

const id = Type.Integer({ readOnly: true });
const pin = Type.String({ writeOnly: true });
const example = { id: 7, name: 'Ada', pin: '1234', keys: [{ id: 1, pin: '5678' }], note: { id: 3 } };

describe('The examples of a schema', () => {
  const key = Type.Object({ id, pin });
  const members = { id, name: Type.String(), pin, keys: Type.Array(key), note: Type.Any() };

  it('have no read-only members in requests, and no write-only members in responses', () => {
    const user = Type.Object(members, { examples: [example] });
    expect(request(user).examples).toEqual([
      { name: 'Ada', pin: '1234', keys: [{ pin: '5678' }], note: { id: 3 } },
    ]);
    expect(response(user).examples).toEqual([{ id: 7, name: 'Ada', keys: [{ id: 1 }], note: { id: 3 } }]);
    expect(user.examples).toEqual([example]);
  });

  it('have no such members of a schema that they refer to, or are composed of', () => {
    const user = {
      allOf: [{ $ref: '#/$defs/User' }, { type: 'object', properties: { token: pin } }],
      examples: [{ ...example, token: 't' }],
      $defs: { User: Type.Object(members) },
    };
    expect(response(user).examples).toEqual([{ id: 7, name: 'Ada', keys: [{ id: 1 }], note: { id: 3 } }]);
    expect(request(user).examples).toMatchObject([{ pin: '1234', token: 't' }]);
    expect(request(user).examples).not.toHaveProperty('0.id');
    const list = { type: 'array', items: { $ref: '#/$defs/User' }, examples: [[example]], $defs: user.$defs };
    expect(response(list).examples).toEqual([[{ id: 7, name: 'Ada', keys: [{ id: 1 }], note: { id: 3 } }]]);
  });

  it('of a definition are those of its variant', () => {
    const $defs = { User: Type.Object(members, { examples: [example] }) };
    const made = request({ type: 'object', properties: { user: { $ref: '#/$defs/User' } }, $defs });
    expect(made.$defs).toMatchObject({ UserRequest: { examples: [{ name: 'Ada', pin: '1234' }] } });
    expect($defs.User.examples).toEqual([example]);
    expect(made.$defs).not.toHaveProperty('UserRequest.examples.0.id');
  });

  it('keep a member that is read-only in one branch of a union, which may be another one', () => {
    const stored = Type.Object({ id, kind: Type.Literal('stored') });
    const given = Type.Object({ id: Type.Integer(), kind: Type.Literal('given') });
    const examples = [{ id: 5, kind: 'given' }];
    expect(request(Type.Union([stored, given], { examples })).examples).toEqual(examples);
    expect(request(Type.Union([stored, stored], { examples })).examples).toEqual([{ kind: 'given' }]);
    const secret = Type.Object({ id: Type.Integer({ writeOnly: true }), kind: Type.Literal('secret') });
    expect(response(Type.Union([secret, given], { examples })).examples).toEqual([{ kind: 'given' }]);
  });

  it('have no such members in the keyword `example`', () => {
    const user = Type.Object(members, { example });
    expect(request(user).example).toEqual({
      name: 'Ada',
      pin: '1234',
      keys: [{ pin: '5678' }],
      note: { id: 3 },
    });
    expect(response(user).example).toEqual({ id: 7, name: 'Ada', keys: [{ id: 1 }], note: { id: 3 } });
    expect(response(Type.Array(key, { example: [{ id: 1, pin: '5678' }] })).example).toEqual([{ id: 1 }]);
  });

  it('have no members that another part of the same value hides', () => {
    const named = Type.Object({ name: Type.String() }, { examples: [{ id: 7, name: 'Ada', pin: '1234' }] });
    const user = { allOf: [Type.Object({ id, pin }), named] };
    expect(response(user)).toHaveProperty('allOf.1.examples', [{ id: 7, name: 'Ada' }]);
    expect(request(user)).toHaveProperty('allOf.1.examples', [{ name: 'Ada', pin: '1234' }]);
  });

  it('are changed in time proportional to the definitions that have them', () => {
    const change = (size: number): unknown => {
      const next = (at: number) => ({ $ref: `#/$defs/D${(2 * at + 1) % size}` });
      const definitions = Array.from({ length: size }, (_, at): [string, object] => [
        `D${at}`,
        { type: 'object', properties: { id, next: next(at), other: next(at + 1) }, examples: [{ id: at }] },
      ]);
      const one = { $ref: '#/$defs/D0' };
      return request({ type: 'object', properties: { one }, $defs: Object.fromEntries(definitions) });
    };
    // If each example compiled all definitions, eight times as many would take sixty times as long.
    expect(growthOf(change, 50, 400)).toBeLessThan(30);
  });
});
