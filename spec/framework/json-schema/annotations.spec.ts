import { isAnnotated } from '../../../src/framework';

const secret = { type: 'string', writeOnly: true };
const none = { type: 'null' };
const $defs = {
  secret,
  tree: { allOf: [{ $ref: '#/$defs/tree', title: 'A tree' }] },
  choice: { anyOf: [{ $ref: '#/$defs/secret' }, none] },
};

describe('An annotation of a schema', () => {
  it.each<[string, unknown, boolean]>([
    ['of its own', secret, true],
    ['of the schema that it refers to', { $ref: '#/$defs/secret' }, true],
    ['next to a reference', { $ref: '#/$defs/none', writeOnly: true }, true],
    ['of a part of allOf', { allOf: [{ $ref: '#/$defs/secret' }], description: 'A secret' }, true],
    ['of all branches but null', { anyOf: [secret, none] }, true],
    ['of all branches of a choice', { oneOf: [secret, { $ref: '#/$defs/choice' }] }, true],
    ['of some branches only', { anyOf: [secret, { type: 'string' }] }, false],
    ['of its members only', { type: 'object', properties: { secret } }, false],
    ['of nothing, in a circle', { $ref: '#/$defs/tree' }, false],
    ['of null alone', { anyOf: [none] }, false],
  ])('%s', (_, schema, expected) => {
    expect(isAnnotated({ $defs }, schema, 'writeOnly')).toBe(expected);
  });
});
