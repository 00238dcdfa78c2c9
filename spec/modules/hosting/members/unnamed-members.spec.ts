import { Type, type TSchema } from '@sinclair/typebox';
import { compileShape } from '../../../../src/modules/content-validation';
import { prune } from '../../../../src/modules/hosting/members/prune';
import { responseSchema } from '../../../../src/modules/hosting/members/schema-variants';
import { findUndeclaredMembers } from '../../../../src/modules/hosting/members/undeclared-members';

const Secret = Type.String({ writeOnly: true });

/** A result as it is sent, and what a service that refuses undeclared members reports of it. */
function sentOf(schema: TSchema | object, result: unknown): readonly [unknown, readonly string[]] {
  const shape = compileShape(schema as TSchema, false);
  return [prune(result, shape), findUndeclaredMembers(result, shape)];
}

describe('Members that clients do not receive', () => {
  it.each<[string, object, object, object]>([
    [
      'by a part of allOf',
      { type: 'object', properties: { p: { allOf: [Secret], description: 'A pin' }, q: Type.String() } },
      { p: 'secret', q: 'shown' },
      { q: 'shown' },
    ],
    [
      'in a union with null',
      Type.Object({ p: Type.Union([Secret, Type.Null()]), q: Type.String() }),
      { p: 'secret', q: 'shown' },
      { q: 'shown' },
    ],
    [
      'by a pattern of their names',
      {
        type: 'object',
        properties: { s_own: Type.String(), name: Type.String() },
        patternProperties: { '^s_': Secret },
      },
      { s_one: 'secret', s_own: 'secret', name: 'shown' },
      { name: 'shown' },
    ],
    ['of a record', Type.Record(Type.String(), Secret), { one: 'secret' }, {}],
    [
      'among the other members',
      { type: 'object', properties: { name: Type.String() }, additionalProperties: Secret },
      { other: 'secret', name: 'shown' },
      { name: 'shown' },
    ],
  ])('%s are not sent', (_, schema, result, sent) => {
    expect(sentOf(schema, result)).toEqual([sent, []]);
  });

  it('are forbidden in the documented schema of the response', () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, p: { anyOf: [Secret, { type: 'null' }] } },
      required: ['name', 'p'],
      patternProperties: { '^s_': Secret, '^n_': { type: 'number' } },
      additionalProperties: Secret,
    } as unknown as TSchema;
    expect(responseSchema(schema)).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      patternProperties: { '^s_': false, '^n_': { type: 'number' } },
      additionalProperties: false,
    });
  });
});

it('A member that matches several patterns keeps what each of them declares', () => {
  const ofPattern = (member: string, more: object = {}): object => ({
    patternProperties: { '^x': { type: 'object', properties: { [member]: { type: 'number' }, ...more } } },
  });
  const schema = { type: 'object', allOf: [ofPattern('a', { pin: Secret }), ofPattern('b')] };
  expect(sentOf(schema, { x1: { a: 1, b: 2, c: 3, pin: 'secret' } })).toEqual([
    { x1: { a: 1, b: 2 } },
    ['/x1/c'],
  ]);
});
