import { Type } from '@sinclair/typebox';
import { compileShape } from '../../../../src/modules/content-validation/members/member-shape';
import { prune } from '../../../../src/modules/hosting/members/prune';
import { findUndeclaredMembers } from '../../../../src/modules/hosting/members/undeclared-members';
import { HypermediaCollection, HypermediaEntity } from '../../../../src/modules/content-negotiation';

const User = Type.Object({
  name: Type.String(),
  address: Type.Optional(Type.Object({ city: Type.String() })),
});
const Secret = Type.String({ writeOnly: true });

interface Tree {
  readonly name: string;
  readonly hash?: string;
  readonly children: readonly Tree[];
}

/** A user as an ORM may return it. */
class Row {
  readonly name = 'Ada';
  readonly hash = 'h';
  toJSON(): unknown {
    return { name: this.name, hash: this.hash };
  }
}

/** Adds a method that only `JSON.stringify` finds. */
function hiding(value: object, toJSON: () => unknown): object {
  return Object.defineProperty(value, 'toJSON', { value: toJSON });
}

function pruned(schema: object, value: unknown, keeps = false): unknown {
  return JSON.parse(JSON.stringify(prune(value, compileShape({ ...schema }, keeps))));
}

describe('prune', () => {
  it('returns the same value when all of it is declared', () => {
    const user = { name: 'Ada', address: { city: 'London' } };
    expect(prune(user, compileShape(User, false))).toBe(user);
    const users = [user, user];
    expect(prune(users, compileShape(Type.Array(User), false))).toBe(users);
  });

  it.each([
    ['an object', User, { name: 'Ada', hash: 'h' }, { name: 'Ada' }],
    [
      'a nested object',
      User,
      { address: { city: 'L', lat: 1 }, name: 'Ada' },
      { address: { city: 'L' }, name: 'Ada' },
    ],
    [
      'an array',
      Type.Array(User),
      [{ name: 'A' }, { name: 'B', hash: 'h' }, { name: 'C' }],
      [{ name: 'A' }, { name: 'B' }, { name: 'C' }],
    ],
    [
      'a tuple',
      { prefixItems: [Type.String(), User] },
      ['x', { name: 'A', hash: 'h' }],
      ['x', { name: 'A' }],
    ],
    ['a map', Type.Record(Type.String(), User), { a: { name: 'A', hash: 'h' } }, { a: { name: 'A' } }],
    ['a value with toJSON', Type.Object({ user: User }), { user: new Row() }, { user: { name: 'Ada' } }],
    [
      'an object with its own toJSON',
      User,
      { hash: 'h', toJSON: () => ({ name: 'A', hash: 'h' }) },
      { name: 'A' },
    ],
    [
      'an object with a toJSON that is not enumerable',
      Type.Object({ user: User }),
      { user: hiding({ name: 'A' }, () => ({ name: 'B', hash: 'h' })) },
      { user: { name: 'B' } },
    ],
    [
      'a list with a toJSON of its own',
      Type.Array(User),
      hiding([{ name: 'A' }], () => [{ name: 'B', hash: 'h' }]),
      [{ name: 'B' }],
    ],
    [
      'a list whose toJSON returns it',
      Type.Array(User),
      hiding([{ name: 'A', hash: 'h' }], function (this: unknown) {
        return this;
      }),
      [{ name: 'A' }],
    ],
    [
      'a union with a toJSON that is not enumerable',
      Type.Union([User, Type.Null()]),
      hiding({ name: 'A' }, () => ({ name: 'B', hash: 'h' })),
      { name: 'B' },
    ],
    [
      'an instance of a class',
      User,
      new (class {
        name = 'A';
        hash = 'h';
      })(),
      { name: 'A' },
    ],
    [
      'a value that is declared as a string',
      Type.Object({ author: Type.String() }),
      { author: { name: 'A', hash: 'h' } },
      { author: {} },
    ],
    ['a list instead of a declared object', User, [{ name: 'A', hash: 'h' }], [{ name: 'A' }]],
    ['an object instead of a declared list', Type.Array(User), { name: 'A', hash: 'h' }, { name: 'A' }],
    ['a closed, empty object', Type.Object({}), { hash: 'h' }, {}],
  ])('removes undeclared members of %s', (_, schema, value, expected) => {
    expect(pruned(schema, value)).toEqual(expected);
  });

  it.each([
    ['additionalProperties is true', { ...User, additionalProperties: true }, { name: 'A', more: 1 }],
    [
      'additionalProperties is a schema',
      { ...User, additionalProperties: { type: 'integer' } },
      { name: 'A', more: 1 },
    ],
    ['the schema declares no members', { type: 'object' }, { anything: 1 }],
    ['the schema is unknown', Type.Object({ data: Type.Unknown() }), { data: { anything: { is: 'fine' } } }],
    ['it is a date', Type.Object({ at: Type.String() }), { at: '2026-01-01' }],
    ['they are links', User, { name: 'A', _links: { self: { href: '/' } }, _embedded: { other: { x: 1 } } }],
    [
      'a part of an allOf declares them',
      Type.Intersect([User, Type.Object({ age: Type.Integer() })]),
      { name: 'A', age: 1 },
    ],
    [
      'a branch of a union declares them',
      Type.Union([User, Type.Object({ age: Type.Integer() }), Type.Null()]),
      { age: 1 },
    ],
    ['a branch of a union allows any', { anyOf: [User, {}] }, { other: 1 }],
    [
      'a definition declares them',
      { $ref: '#/$defs/U', $defs: { U: User } },
      { name: 'A', address: { city: 'L' } },
    ],
    [
      'a condition declares them',
      { ...User, if: {}, then: { properties: { age: {} } } },
      { name: 'A', age: 1 },
    ],
  ])('keeps members where %s', (_, schema, value) => {
    expect(pruned(schema, value)).toEqual(value);
  });

  it('removes what no branch, subschema or definition declares', () => {
    const union = {
      anyOf: [User, { $ref: '#/$defs/B' }],
      $defs: { B: { type: 'object', properties: { b: {} } } },
    };
    expect(pruned(union, { name: 'A', b: 1, hash: 'h' })).toEqual({ name: 'A', b: 1 });
    // A branch with only `required` does not allow other members.
    const demanding = { ...User, anyOf: [{ required: ['name'] }, { required: ['address'] }] };
    expect(pruned(demanding, { name: 'A', hash: 'h' })).toEqual({ name: 'A' });
  });

  it('follows recursive schemas', () => {
    const schema = Type.Recursive((Node) => Type.Object({ name: Type.String(), children: Type.Array(Node) }));
    const leaf: Tree = { name: 'c', hash: 'h', children: [] };
    const tree: Tree = { name: 'a', children: [{ name: 'b', children: [leaf] }] };
    expect(JSON.stringify(pruned(schema, tree))).not.toContain('hash');
    const circular = { name: 'a', children: [] as unknown[] };
    circular.children.push(circular);
    expect(() => prune(circular, compileShape(schema, false))).toThrow('nested too deeply, or circular');
  });

  it('removes writeOnly members, whatever else is kept', () => {
    const schema = {
      ...Type.Object({
        name: Type.String(),
        password: Secret,
        list: Type.Array(Type.Object({ pin: Secret })),
      }),
      additionalProperties: true,
    };
    const value = { name: 'A', password: 'p', more: 1, list: [{ pin: '1', x: 1 }] };
    expect(pruned(schema, value)).toEqual({ name: 'A', more: 1, list: [{}] });
    expect(pruned(schema, value, true)).toEqual({ name: 'A', more: 1, list: [{ x: 1 }] });
    expect(pruned({ anyOf: [schema, { type: 'null' }] }, value)).toEqual({ name: 'A', more: 1, list: [{}] });
  });

  it('keeps HAL links, and prunes what is embedded under a declared name', () => {
    const schema = Type.Object({ name: Type.String(), owner: User, users: Type.Array(User) });
    const entity = new HypermediaEntity(
      { name: 'A', hash: 'h' },
      { links: { self: '/a' }, embedded: { owner: { name: 'B', hash: 'h' }, other: { x: 1 } } },
    );
    const found = prune(entity, compileShape(schema, false));
    expect(found).toEqual(
      new HypermediaEntity(
        { name: 'A' },
        { links: { self: '/a' }, embedded: { owner: { name: 'B' }, other: { x: 1 } } },
      ),
    );
    const page = new HypermediaCollection([{ name: 'A', hash: 'h' }], { name: 'users', paging: { page: 1 } });
    expect(prune(page, compileShape(schema, false))).toEqual(
      new HypermediaCollection([{ name: 'A' }], { name: 'users', paging: { page: 1 } }),
    );
  });

  const Order = Type.Object({ id: Type.String(), pin: Secret, items: Type.Array(Type.String()) });
  it.each([
    ['an entity or a list', Type.Union([Order, Type.Array(Order)]), {}],
    ['an entity', Order, { name: 'orders' }],
    ['an entity or null', Type.Union([Order, Type.Null()]), { name: 'orders' }],
    ['a page', Type.Object({ orders: Type.Array(Order) }), { name: 'orders', paging: {} }],
    ['a map of lists', Type.Record(Type.String(), Type.Array(Order)), { paging: {} }],
  ])('filters the items of a collection that stands for %s', (_, schema, options) => {
    const order = { id: '1', items: ['a'] };
    const sent = new HypermediaCollection([{ ...order, pin: 's', hash: 'h' }], options);
    const shape = compileShape({ ...schema }, false);
    expect(prune(sent, shape)).toEqual(new HypermediaCollection([order], options));
    expect(prune(sent, shape)).toHaveProperty('items', [order]);
    expect(findUndeclaredMembers(sent, shape)).toEqual(['/*/hash']);
    expect(prune(sent, compileShape({ ...schema }, true))).toHaveProperty('items', [{ ...order, hash: 'h' }]);
  });

  it('sends nothing of the items of a page that declares another name', () => {
    const page = new HypermediaCollection([{ name: 'A', hash: 'h' }], { name: 'people', paging: {} });
    const shape = compileShape(Type.Object({ users: Type.Array(User) }), false);
    expect(prune(page, shape)).toHaveProperty('items', [{}]);
  });

  it('does not treat a member named __proto__ as the prototype', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"hash":1,"name":"A"}');
    const schema = { type: 'object', properties: JSON.parse('{"__proto__":{},"name":{}}') as object };
    expect(JSON.stringify(prune(value, compileShape(schema, false)))).toBe(
      '{"__proto__":{"a":1},"name":"A"}',
    );
  });
});

describe('unknownMembers', () => {
  it('reports each location of undeclared members once, and no writeOnly ones', () => {
    const schema = Type.Object({ users: Type.Array(User), secret: Secret });
    const user = { name: 'A', hash: 'h', address: { city: 'L', 'a/b': 1, none: undefined } };
    const value = { users: [user, user, new Row()], secret: 's', x: 1 };
    expect(findUndeclaredMembers(value, compileShape(schema, false))).toEqual([
      '/users/*/hash',
      '/users/*/address/a~1b',
      '/x',
    ]);
  });

  it('lists those of what toJSON of a list returns', () => {
    const list = hiding([{ name: 'Ada' }], () => [{ name: 'Bo', hash: 'h' }]);
    expect(findUndeclaredMembers(list, compileShape(Type.Array(User), false))).toEqual(['/*/hash']);
    expect(pruned(Type.Array(User), list)).toEqual([{ name: 'Bo' }]);
  });

  it('takes boxed values as what JSON.stringify writes', () => {
    const boxed = { name: new String('Ada'), size: new Number(2), isOld: new Boolean(false) };
    const schema = Type.Object({ name: Type.String(), size: Type.Number(), isOld: Type.Boolean() });
    expect(findUndeclaredMembers(boxed, compileShape(schema, false))).toEqual([]);
    expect(pruned(schema, { ...boxed, x: 1 })).toEqual({ name: 'Ada', size: 2, isOld: false });
    const other = hiding(new String('Ada'), () => ({ name: 'Ada', hash: 'h' }));
    expect(findUndeclaredMembers(other, compileShape(User, false))).toEqual(['/hash']);
    expect(pruned(User, other)).toEqual({ name: 'Ada' });
    const imitated = Object.assign(Object.create(String.prototype) as object, { name: 'Ada', hash: 'h' });
    expect(pruned(User, imitated)).toEqual({ name: 'Ada' });
  });
});
