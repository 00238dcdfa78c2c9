import { mayBeNull } from '../../../../src/modules/documentation/model/may-be-null';

const object = { type: 'object' };

it.each([
  ['one of several types', { type: ['object', 'null'] }],
  ['one of a union', { anyOf: [object, { type: 'null' }] }],
  ['oneOf', { oneOf: [{ type: 'null' }, object] }],
  ['a definition', { $ref: '#/$defs/a', $defs: { a: { anyOf: [object, { type: 'null' }] } } }],
  ['null alone', { type: 'null' }],
])('may be null: %s', (_, schema) => {
  expect(mayBeNull(schema)).toBe(true);
});

it.each([
  ['an object', object],
  ['an object with a nullable member', { type: 'object', properties: { a: { type: 'null' } } }],
  ['an unresolvable reference', { $ref: '#/$defs/a' }],
  ['a circular reference', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
  ['no type', {}],
])('may not be null: %s', (_, schema) => {
  expect(mayBeNull(schema)).toBe(false);
});
