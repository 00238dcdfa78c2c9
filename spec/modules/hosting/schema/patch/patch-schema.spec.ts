import fc from 'fast-check';
import { mergePatch, Type, type MergePatch } from '../../../../../src/platform';
import { compileShape, Validators } from '../../../../../src/modules/content-validation';
import { dropUnknown } from '../../../../../src/modules/content-validation/members/drop-unknown';
import type { ServiceDefinition } from '../../../../../src/modules/hosting/definition/definition';
import { requestVariants } from '../../../../../src/modules/hosting/members/schema-variants';
import { growthOf } from '../../../../factories/measure/cpu-time';
import { mergePatchSchema } from '../../../../../src/modules/hosting/schema/patch/patch-schema';

/** A schema for each way to declare members. */
const labels = Type.Record(Type.String(), Type.String({ minLength: 1 }));
const numbered = Type.Record(Type.String({ pattern: '^n' }), Type.Object({ at: Type.Integer() }), {
  additionalProperties: false,
});
const closed = { additionalProperties: false };
const circle = Type.Object({ shape: Type.Literal('circle'), radius: Type.Number() }, closed);
const box = Type.Object(
  { shape: Type.Literal('box'), width: Type.Number(), depth: Type.Optional(Type.Number()) },
  closed,
);
const schema = Type.Object({
  labels,
  numbered: Type.Optional(numbered),
  drawn: Type.Union([circle, box]),
  text: Type.Optional(
    Type.Union([Type.String(), Type.Object({ html: Type.String(), lang: Type.Optional(Type.String()) })]),
  ),
  whose: Type.Intersect([
    Type.Object({ name: Type.String(), age: Type.Optional(Type.Integer()) }),
    Type.Object({ mail: Type.Optional(Type.String()) }),
  ]),
  anything: Type.Optional(Type.Any()),
});

const validators = new Validators();
const isWhole = validators.asIs(schema);
const validate = validators.forPatch(mergePatchSchema(schema)!);

describe('the schema of a merge patch', () => {
  it.each([
    [{ labels: { old: null } }],
    [{ labels: { old: null, fresh: 'x' } }],
    [{ numbered: { n1: null, n2: { at: 3 } } }],
    [{ numbered: null }],
    [{ drawn: { radius: 4 } }],
    [{ drawn: { depth: null } }],
    [{ drawn: { shape: 'box', width: 2, radius: null } }],
    [{ text: 'plain' }],
    [{ text: { lang: null } }],
    [{ text: null }],
    [{ whose: { age: null } }],
    [{ whose: { name: 'Al', mail: null } }],
    [{ anything: null }],
  ])('accepts %j', (patch) => {
    expect(validate(patch)).toEqual({ value: patch });
  });

  it.each([
    [{ labels: { old: '' } }, '/labels/old'],
    [{ labels: { old: 7 } }, '/labels/old'],
    [{ labels: null }, '/labels'],
    [{ numbered: { other: null } }, '/numbered/other'],
    [{ numbered: { n1: { at: null } } }, '/numbered/n1/at'],
    [{ drawn: { shape: null } }, '/drawn/shape'],
    [{ drawn: { radius: 'wide' } }, '/drawn/radius'],
    [{ drawn: { colour: null } }, '/drawn/colour'],
    [{ drawn: null }, '/drawn'],
    [{ text: { html: null } }, '/text/html'],
    [{ whose: { name: null } }, '/whose/name'],
    [[], ''],
    [null, ''],
  ])('rejects %j', (patch, pointer) => {
    expect(validate(patch)).toEqual({
      errors: expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown,
    });
  });

  it('is derived in time proportional to the members of the branches of a union', () => {
    const branch = (at: number, size: number) =>
      Type.Object(
        Object.fromEntries(Array.from({ length: size }, (_, member) => [`m${at}_${member}`, Type.String()])),
        closed,
      );
    const unions = new Map(
      [50, 800].map((size) => [size, Type.Union(Array.from({ length: 8 }, (_, at) => branch(at, size)))]),
    );
    expect(growthOf((size) => mergePatchSchema(unions.get(size) ?? Type.Any()), 50, 800)).toBeLessThan(48);
  });

  it('does not list the members of all branches in each branch of nested unions', () => {
    const names = Array.from({ length: 200 }, (_, at) => `m${at}`);
    const unionOf = (own: readonly string[], ...sizes: readonly number[]): object => {
      const [size, ...inner] = sizes;
      if (size === undefined)
        return Type.Object(Object.fromEntries(own.map((name) => [name, Type.String()])), closed);
      const each = own.length / size;
      const branches = Array.from({ length: size }, (_, at) => own.slice(at * each, (at + 1) * each));
      return { anyOf: branches.map((some) => unionOf(some, ...inner)) };
    };
    const nested = { type: 'object', ...unionOf(names, 5, 5, 8) };
    const patch = mergePatchSchema(Type.Unsafe(nested))!;
    expect(JSON.stringify(patch).length).toBeLessThan(5 * JSON.stringify(nested).length);
    const check = new Validators().forPatch(patch);
    expect(check({ m0: 'a', m199: null })).toHaveProperty('value');
    expect(check({ m0: 'a', m199: 'b' })).toHaveProperty('errors');
    expect(check({ moo: null })).toHaveProperty('errors');
  });

  it('allows every entity to become any other', () => {
    const text = fc.string({ minLength: 1 });
    const number = fc.integer();
    const drawn = fc.oneof(
      fc.record({ shape: fc.constant('circle'), radius: number }),
      fc.record(
        { shape: fc.constant('box'), width: number, depth: number },
        { requiredKeys: ['shape', 'width'] },
      ),
    );
    const html = fc.record({ html: text, lang: text }, { requiredKeys: ['html'] });
    const entity = fc.record(
      {
        labels: fc.dictionary(fc.constantFrom('a', 'b', 'c'), text),
        numbered: fc.dictionary(fc.constantFrom('n1', 'n2'), fc.record({ at: number })),
        drawn,
        text: fc.oneof(text, html),
        whose: fc.record({ name: text, age: number, mail: text }, { requiredKeys: ['name'] }),
      },
      { requiredKeys: ['labels', 'drawn', 'whose'] },
    );
    fc.assert(
      fc.property(entity, entity, (from, to) => {
        const patch = difference(from, to);
        expect(isWhole(to)).toEqual({ value: to });
        expect(validate(patch)).toEqual({ value: patch });
        expect(mergePatch(from, patch)).toEqual(to);
      }),
      { numRuns: 500 },
    );
  });
});

/** The merge patch that turns one value into the other. */
function difference(from: unknown, to: unknown): unknown {
  if (!isObject(to)) return to;
  const [before, after] = [isObject(from) ? from : {}, to];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.map((name) => [name, name in after ? difference(before[name], after[name]) : null]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('the schema of a merge patch of an allOf', () => {
  const named = Type.Object({ name: Type.String() });

  it('includes every part', () => {
    const both = Type.Intersect([named, Type.Object({ size: Type.Optional(Type.Integer()) })], {
      unevaluatedProperties: false,
    });
    const check = validators.forPatch(mergePatchSchema(both)!);
    expect(check({ size: null })).toEqual({ value: { size: null } });
    expect(check({ name: 'Al' })).toEqual({ value: { name: 'Al' } });
    expect(check({ name: null })).toHaveProperty('errors');
    expect(check({ other: 1 })).toHaveProperty('errors');
    expect(check('a text')).toHaveProperty('errors');
  });

  it.each(['allOf', 'anyOf', 'oneOf'])(
    'has the members next to a reference and those of its target: %s',
    (keyword) => {
      const part = { $ref: '#/$defs/Named', properties: { size: { type: 'integer' } }, required: ['size'] };
      const check = validators.forPatch(
        mergePatchSchema(Type.Unsafe({ [keyword]: [part], $defs: { Named: named } }))!,
      );
      expect(check({ name: 'Al', size: 1 })).toEqual({ value: { name: 'Al', size: 1 } });
      for (const patch of [{ name: 5 }, { name: null }, { size: 'x' }, { size: null }])
        expect(check(patch)).toHaveProperty('errors');
    },
  );

  it('removes nothing that another part requires', () => {
    const both = { properties: { name: { type: 'string' } }, allOf: [{ required: ['name'] }] };
    const check = validators.forPatch(mergePatchSchema(Type.Unsafe(both))!);
    expect(check({ name: null })).toHaveProperty('errors');
    expect(check({})).toEqual({ value: {} });
  });

  it('allows alternatives of one part, and is always an object', () => {
    const one = Type.Unsafe({ oneOf: [named, Type.Object({ size: Type.Integer() }), { type: 'string' }] });
    const check = validators.forPatch(mergePatchSchema(one)!);
    expect(check({})).toEqual({ value: {} });
    expect(check({ size: 'x', name: 1 })).toHaveProperty('errors');
    expect(check('a text')).toHaveProperty('errors');
  });

  it('leaves rules about several members to the whole entity', () => {
    const together = Type.Unsafe({
      type: 'object',
      properties: { from: { type: 'integer' }, to: { type: 'integer' } },
      maxProperties: 1,
      not: { required: ['from', 'to'] },
      oneOf: [{ required: ['from'] }, { required: ['to'] }],
      anyOf: [{ minProperties: 1 }],
    });
    expect(JSON.parse(JSON.stringify(mergePatchSchema(together)))).toEqual({
      type: 'object',
      properties: { from: { type: ['integer', 'null'] }, to: { type: ['integer', 'null'] } },
    });
  });

  it('keeps the rules for values that are not objects', () => {
    const odd = Type.Object({
      code: Type.Unsafe({ not: { const: 'x' }, if: { const: 1 }, then: { maximum: 1 } }),
    });
    expect(mergePatchSchema(odd)?.properties).toEqual(odd.properties);
  });
});

it.each([
  Type.String(),
  Type.Array(Type.Object({})),
  Type.Any(),
  Type.Ref('Other'),
  Type.Union([Type.String()]),
])('rejects a merge patch of %j', (none) => {
  expect(mergePatchSchema(none)).toBeUndefined();
});

it('types null in a merge patch for index signatures and optional members', () => {
  interface Entity {
    readonly name: string;
    readonly size?: number;
    readonly labels: Readonly<Record<string, string>>;
    readonly drawn: { readonly radius: number } | { readonly width: number };
  }
  const patch: MergePatch<Entity> = { size: null, labels: { old: null }, drawn: { width: 1 } };
  expect(patch).toBeDefined();
  // @ts-expect-error -- every entity has a name
  const none: MergePatch<Entity> = { name: null };
  expect(none).toBeDefined();
});

describe('the merge patch of a union with closed parts', () => {
  const kinds = { properties: { kind: { enum: ['a', 'b'] } }, required: ['kind'] };
  const ofKind = (kind: string, name: string) => ({
    properties: { kind: { const: kind }, [name]: { type: 'integer' } },
  });
  const [a, b] = [ofKind('a', 'size'), ofKind('b', 'weight')];
  const closedBy = (keyword: string) => ({ [keyword]: false });
  const closedWith = (one: object) => ({ ...one, ...closedBy('additionalProperties') });

  it.each([
    [
      'next to references',
      {
        oneOf: [a, b].map((one) => ({ $ref: '#/$defs/Base', ...one, ...closedBy('additionalProperties') })),
        $defs: { Base: kinds },
      },
    ],
    [
      'in allOf',
      {
        oneOf: [a, b].map((one) => ({ allOf: [kinds, { ...one, ...closedBy('unevaluatedProperties') }] })),
      },
    ],
    [
      'that are referenced in allOf',
      {
        oneOf: [{ allOf: [{ $ref: '#/$defs/A' }] }, { allOf: [{ $ref: '#/$defs/B' }] }],
        $defs: {
          A: { ...a, ...closedBy('additionalProperties') },
          B: { ...b, ...closedBy('additionalProperties') },
        },
      },
    ],
    [
      'that are referenced, with members next to the reference',
      {
        oneOf: [
          { $ref: '#/$defs/A', properties: { size: { maximum: 9 } } },
          { $ref: '#/$defs/B', properties: { weight: { maximum: 9 } } },
        ],
        $defs: {
          A: { ...a, ...closedBy('unevaluatedProperties') },
          B: { ...b, ...closedBy('unevaluatedProperties') },
        },
      },
    ],
    [
      'that are referenced by other names',
      {
        oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
        $defs: {
          A: { $ref: '#/$defs/A1' },
          B: { $ref: '#/$defs/B1' },
          A1: { ...a, ...closedBy('additionalProperties') },
          B1: { $ref: '#/$defs/B2' },
          B2: { ...b, ...closedBy('additionalProperties') },
        },
      },
    ],
    ...['oneOf', 'anyOf'].map((keyword): [string, object] => [
      `in a union of unions (${keyword})`,
      {
        [keyword]: [{ $ref: '#/$defs/Some' }, { ...b, ...closedBy('additionalProperties') }],
        $defs: {
          Some: { allOf: [{ [keyword]: [ofKind('c', 'length'), a].map(closedWith) }] },
        },
      },
    ]),
  ])('allows the removal of members of the other schema: %s', (_, union) => {
    const check = new Validators().forPatch(mergePatchSchema(Type.Unsafe({ type: 'object', ...union }))!);
    for (const patch of [
      { kind: 'b', weight: 1, size: null },
      { kind: 'a', weight: null },
    ])
      expect(check(patch)).toEqual({ value: patch });
    for (const patch of [{ kind: 'b', size: 1 }, { other: null }, { kind: 'a', size: 'x' }])
      expect(check(patch)).toHaveProperty('errors');
  });
});

describe('the merge patch of a union that unevaluatedProperties closes as a whole', () => {
  const ofKind = (kind: string, own: object) => ({
    type: 'object',
    properties: { kind: { const: kind }, ...own },
    required: ['kind', ...Object.keys(own)],
  });
  const base = { type: 'object', properties: { id: { type: 'string' } } };
  const a = ofKind('a', { size: { type: 'integer' } });
  const b = ofKind('b', { weight: { type: 'integer' }, owner: { type: 'object', properties: { name: {} } } });
  const refsTo = (...names: readonly string[]) => names.map((name) => ({ $ref: `#/$defs/${name}` }));
  const forms = ['oneOf', 'anyOf'].flatMap((keyword): [string, object][] => [
    [`${keyword} next to members`, { ...base, [keyword]: [a, b] }],
    [`${keyword} in allOf`, { allOf: [base, { [keyword]: [a, b] }] }],
    [
      `${keyword} that is referenced`,
      {
        allOf: refsTo('Base', 'Kind'),
        $defs: { Base: base, Kind: { [keyword]: refsTo('A', 'B') }, A: a, B: b },
      },
    ],
  ]);
  const checkOf = (schema: object) => {
    const patch = mergePatchSchema(Type.Unsafe({ type: 'object', ...schema, unevaluatedProperties: false }))!;
    const service = { read_only_members: 'refuse' } as ServiceDefinition;
    return validators.forPatch(requestVariants(patch, service, false).validated);
  };

  it.each(forms)('may remove the members of the other branches: %s', (_, schema) => {
    const check = checkOf(schema);
    for (const patch of [
      { kind: 'a', size: 1, weight: null, owner: null },
      { id: 'x', kind: 'b', size: null, weight: 1 },
      { owner: { name: null } },
    ])
      expect(check(patch)).toEqual({ value: patch });
    for (const patch of [{ moo: null }, { weight: 'x' }, { kind: null }, { kind: 'a', size: null }])
      expect(check(patch)).toHaveProperty('errors');
  });

  it('removes nothing that a schema around the union requires', () => {
    const optional = { type: 'object', properties: { size: { type: 'integer' } } };
    for (const schema of [
      { ...base, required: ['size'], oneOf: [optional, b] },
      { allOf: [{ required: ['size'] }, { oneOf: [optional, b] }] },
    ]) {
      expect(checkOf(schema)({ size: null })).toHaveProperty('errors');
      expect(checkOf(schema)({ size: 1 })).toHaveProperty('value');
    }
  });

  it('may remove those of a union with thousands of members', () => {
    const membersOf = (at: number) =>
      [0, 1, 2, 3, 4].map((member) => [`m${at}_${member}`, { type: 'string' }]);
    const branches = Array.from({ length: 600 }, (_, at) =>
      ofKind(`k${at}`, Object.fromEntries(membersOf(at)) as object),
    );
    const check = checkOf({ oneOf: branches });
    for (const patch of [
      { kind: 'k7', m7_0: 'a' },
      { kind: 'k7', m7_0: 'a', m599_4: null },
      { m0_0: null, m599_4: null },
    ])
      expect(check(patch)).toEqual({ value: patch });
    for (const patch of [{ moo: 1 }, { moo: null }, { m7_0: 1 }, { m599_4: 1 }, { kind: null }])
      expect(check(patch)).toHaveProperty('errors');
  });

  it('grows in proportion to the depth of unions within each other', () => {
    const nested = (levels: number): object =>
      levels === 0
        ? { type: 'string' }
        : { oneOf: [ofKind('a', { inner: nested(levels - 1) }), b], unevaluatedProperties: false };
    const sizeOf = (levels: number) =>
      JSON.stringify(mergePatchSchema(Type.Unsafe({ type: 'object', ...nested(levels) }))).length;
    expect(sizeOf(16)).toBeLessThan(3 * sizeOf(8));
  });

  it('validates patches of a union with a thousand schemas of one member', () => {
    const branches = Array.from({ length: 1_000 }, (_, at) => ({
      type: 'object',
      properties: { kind: { const: `k${at}` }, value: { minimum: at } },
    }));
    const check = checkOf({ oneOf: [...branches, ofKind('none', {})] });
    expect(check({ kind: 'k7', value: 8 })).toEqual({ value: { kind: 'k7', value: 8 } });
    expect(check({ moo: null })).toHaveProperty('errors');
  });

  it('may remove the members of the other branches at every depth of large unions within each other', () => {
    const large = Object.fromEntries(Array.from({ length: 490 }, (_, at) => [`m${at}`, { type: 'string' }]));
    const nested = (levels: number): object =>
      levels === 0
        ? { type: 'string' }
        : {
            oneOf: [
              {
                ...ofKind('a', { inner: nested(levels - 1) }),
                properties: { kind: { const: 'a' }, ...large, inner: nested(levels - 1) },
              },
              b,
            ],
            unevaluatedProperties: false,
          };
    const check = checkOf(nested(6));
    const at = (depth: number, innermost: object): object =>
      depth === 0 ? innermost : { inner: at(depth - 1, innermost) };
    for (const depth of [0, 1, 5]) {
      const patch = at(depth, { kind: 'b', weight: 1, m7: null, inner: null });
      expect(check(patch)).toEqual({ value: patch });
      expect(check(at(depth, { moo: null }))).toHaveProperty('errors');
      expect(check(at(depth, { m7: 1 }))).toHaveProperty('errors');
    }
  });

  it.each([
    ['first', 1],
    ['last', -1],
  ])('is the same for a definition that is %s found within many unions', (_, order) => {
    const nested = (levels: number, inner: object): object =>
      levels === 0
        ? inner
        : { oneOf: [ofKind('a', { inner: nested(levels - 1, inner) }), b], unevaluatedProperties: false };
    const referring = {
      anyOf: [
        { $ref: '#/$defs/Kind', title: 'Kind' },
        { ...base, ...closed },
      ],
    };
    const members = [
      ['deep', nested(4, referring)],
      ['top', referring],
    ];
    const schema = {
      properties: Object.fromEntries(order < 0 ? members.reverse() : members) as object,
      $defs: { Kind: { oneOf: [a, b], unevaluatedProperties: false } },
    };
    const patch = { top: { kind: 'b', weight: 1, size: null } };
    expect(checkOf(schema)(patch)).toEqual({ value: patch });
  });

  it('has no read-only members of other branches', () => {
    const weight = { type: 'integer', readOnly: true };
    const check = checkOf({ ...base, oneOf: [a, ofKind('b', { weight })] });
    expect(check({ size: 1, weight: 2 })).toHaveProperty('errors');
    expect(check({ weight: 2 })).toHaveProperty('errors');
    expect(check({ size: 1 })).toHaveProperty('value');
  });
});

describe('the merge patch of a schema with conditions', () => {
  const own = { id: { type: 'string' }, kind: { enum: ['dog', 'cat', 'fish'] } };
  const isKind = (kind: string) => ({ properties: { kind: { const: kind } }, required: ['kind'] });
  const $defs = { Dog: { allOf: [{ properties: { bark: { type: 'integer' } }, required: ['bark'] }] } };
  const condition = {
    if: isKind('dog'),
    then: { $ref: '#/$defs/Dog' },
    else: { if: isKind('cat'), then: { properties: { purr: { type: 'integer' } } } },
  };
  const schemas: readonly (readonly [string, object])[] = [
    ['at the top', { ...condition, $defs }],
    ['in allOf', { allOf: [condition], $defs }],
    [
      'in dependentSchemas',
      {
        dependentSchemas: { kind: { $ref: '#/$defs/Dog', properties: { purr: {} } } },
        $defs,
      },
    ],
  ];
  const patchOf = (schema: object, unknown?: 'refuse' | 'drop') =>
    requestVariants(
      mergePatchSchema(Type.Unsafe({ type: 'object', properties: own, ...schema }))!,
      { read_only_members: 'refuse', unknown_members: unknown } as ServiceDefinition,
      false,
    ).validated;

  it.each(schemas)('may have the members that are declared under a condition %s', (_, schema) => {
    const check = validators.forPatch(patchOf({ ...schema, unevaluatedProperties: false }));
    for (const patch of [{ bark: 2 }, { kind: 'cat', purr: 1, bark: null }, { kind: 'dog' }])
      expect(check(patch)).toEqual({ value: patch });
    for (const patch of [{ moo: 1 }, { kind: 'cow' }, { id: null, bark: 2, kind: 1 }])
      expect(check(patch)).toHaveProperty('errors');
  });

  it.each(schemas)('keeps them where others are dropped or refused %s', (_, schema) => {
    const patch = { kind: 'dog', bark: 2, purr: null };
    const shape = compileShape(patchOf(schema, 'drop'), false);
    expect(dropUnknown({ ...patch, moo: 1 }, shape)).toEqual(patch);
    const check = validators.forPatch(patchOf(schema, 'refuse'));
    expect(check(patch)).toEqual({ value: patch });
  });

  it.each([
    ['themselves', { type: 'integer', readOnly: true }],
    ['in a part', { type: 'integer', allOf: [{ readOnly: true }] }],
  ])('refuses those that are read-only, %s', (_, bark) => {
    const schema = { if: isKind('dog'), then: { properties: { bark } } };
    expect(validators.forPatch(patchOf(schema))({ bark: 2 })).toHaveProperty('errors');
    const isWritable = { ...schema, else: { properties: { bark: { type: 'string' } } } };
    expect(validators.forPatch(patchOf(isWritable))({ bark: 'a' })).toEqual({ value: { bark: 'a' } });
  });

  const owner = { type: 'object', properties: { id: { readOnly: true }, name: { type: 'string' } } };
  const parent = {
    type: 'object',
    properties: { parent: { $ref: '#/$defs/Parent' }, id: { readOnly: true } },
  };
  it.each([
    ['in a member', { properties: { owner } }],
    ['in a referenced member', { properties: { owner: { $ref: '#/$defs/Owner' } } }],
    ['in a branch of a member', { properties: { owner: { anyOf: [owner, { type: 'null' }] } } }],
    ['in a member of a recursive definition', { properties: { owner: { $ref: '#/$defs/Parent' } } }],
    ['in a member by pattern', { patternProperties: { '^owner$': owner } }],
    ['in another member', { properties: {}, additionalProperties: owner }],
  ])('refuses what is read-only %s', (_, then) => {
    for (const schema of [{ then }, { else: then }, { dependentSchemas: { kind: then } }]) {
      const all = { if: isKind('dog'), ...schema, $defs: { Owner: owner, Parent: parent } };
      const check = validators.forPatch(patchOf(all));
      expect(check({ owner: { id: 1 } })).toHaveProperty('errors');
      for (const patch of [{ owner: { name: 'Al', age: null } }, { owner: null }, { owner: 'Al' }])
        expect(check(patch)).toEqual({ value: patch });
      const patch = { owner: { name: 'Al', age: 7 } };
      expect(validators.forPatch(patchOf(all, 'refuse'))(patch)).toEqual({ value: patch });
      expect(dropUnknown(patch, compileShape(patchOf(all, 'drop'), false))).toEqual(patch);
    }
  });

  it('refuses what is read-only in items, and next to additionalProperties', () => {
    const list = { properties: { owners: { type: 'array', items: owner } } };
    const inList = validators.forPatch(patchOf({ if: isKind('dog'), then: list }));
    expect(inList({ owners: [{ name: 'Al' }, { id: 1 }] })).toHaveProperty('errors');
    expect(inList({ owners: [{ name: 'Al' }] })).toHaveProperty('value');
    const typed = {
      additionalProperties: { type: 'object' },
      if: isKind('dog'),
      then: { properties: { owner } },
    };
    const check = validators.forPatch(patchOf(typed));
    expect(check({ owner: { id: 1 } })).toHaveProperty('errors');
    expect(check({ owner: 'Al' })).toHaveProperty('errors');
    expect(check({ owner: { name: 'Al' } })).toHaveProperty('value');
  });

  it.each([
    ['without readOnly', { type: 'object', properties: { id: {} } }],
    ['as any object', { type: 'object' }],
  ])('allows what one of several conditions declares %s', (_, one) => {
    const schema = {
      if: isKind('dog'),
      then: { properties: { owner } },
      else: { properties: { owner: one } },
    };
    expect(validators.forPatch(patchOf(schema))({ owner: { id: 1 } })).toHaveProperty('value');
  });

  it('refuses what is read-only at every depth of definitions that refer to each other', () => {
    const [toA, toB] = ['A', 'B'].map((name) => ({ $ref: `#/$defs/${name}` }));
    const recursive = {
      if: isKind('dog'),
      then: { properties: { a: toA, b: toB } },
      $defs: {
        A: { type: 'object', properties: { id: { readOnly: true }, b: toB } },
        B: { type: 'object', properties: { a: toA, list: { type: 'array', prefixItems: [toA] } } },
      },
    };
    const check = validators.forPatch(patchOf(recursive));
    for (const within of [
      (one: object) => ({ a: one }),
      (one: object) => ({ b: { a: one } }),
      (one: object) => ({ a: { b: { a: { b: { a: one } } } } }),
      (one: object) => ({ b: { list: [one, { id: 1 }] } }),
    ]) {
      expect(check(within({ id: 1 }))).toHaveProperty('errors');
      expect(check(within({ name: 'Al' }))).toHaveProperty('value');
    }
  });

  it('is as large as the definitions, of which each refers to the next one twice', () => {
    const next = (at: number) => (at < 20 ? { a: definition(at), b: definition(at) } : {});
    const definition = (at: number) => ({ $ref: `#/$defs/S${at}` });
    const doubled = {
      if: isKind('dog'),
      then: { properties: next(0) },
      $defs: Object.fromEntries(
        Array.from({ length: 20 }, (_, at): [string, object] => [
          `S${at}`,
          { type: 'object', properties: { id: { readOnly: true }, ...next(at + 1) } },
        ]),
      ),
    };
    const patch = patchOf(doubled);
    expect(JSON.stringify(patch).length).toBeLessThan(4 * JSON.stringify(doubled).length);
    const check = validators.forPatch(patch);
    expect(check({ a: { b: { a: { id: 1 } } } })).toHaveProperty('errors');
    expect(check({ a: { b: { a: { name: 1 } } } })).toHaveProperty('value');
  });

  it('is as large as a definition that many members refer to', () => {
    const membersOf = (member: object) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, at): [string, object] => [`m${at}`, member]));
    const referring = {
      if: isKind('dog'),
      then: { properties: membersOf({ $ref: '#/$defs/Owner' }) },
      $defs: { Owner: { type: 'object', properties: membersOf({ readOnly: true }) } },
    };
    const patch = patchOf(referring);
    expect(JSON.stringify(patch).length).toBeLessThan(4 * JSON.stringify(referring).length);
    const check = validators.forPatch(patch);
    for (const member of ['m0', 'm99']) {
      expect(check({ [member]: { m7: 1 } })).toHaveProperty('errors');
      expect(check({ [member]: { name: 'Al' } })).toHaveProperty('value');
    }
  });

  it('has no members that additionalProperties excludes', () => {
    const schema = { additionalProperties: false, if: isKind('dog'), then: { properties: { bark: {} } } };
    expect(validators.forPatch(patchOf(schema))({ bark: 2 })).toHaveProperty('errors');
  });

  it.each([true, { type: ['integer', 'string'] }])(
    'refuses those that are read-only next to additionalProperties: %j',
    (additionalProperties) => {
      const schema = { additionalProperties, if: isKind('dog') };
      const bark = { type: 'integer', readOnly: true };
      const check = validators.forPatch(patchOf({ ...schema, then: { properties: { bark } } }));
      expect(check({ bark: 2 })).toHaveProperty('errors');
      expect(check({ moo: 2 })).toEqual({ value: { moo: 2 } });
      const writable = patchOf({ ...schema, then: { properties: { bark: {} } } });
      expect(validators.forPatch(writable)({ bark: 2 })).toEqual({ value: { bark: 2 } });
      if (additionalProperties !== true)
        expect(validators.forPatch(writable)({ bark: [] })).toHaveProperty('errors');
    },
  );

  it.each([
    ['a pattern', { patternProperties: { '^x-': { type: 'integer' } } }],
    ['others', { properties: { bark: {} }, additionalProperties: { type: 'integer' } }],
  ])('may have %s that a condition declares', (_, then) => {
    const schema = { if: isKind('dog'), then };
    const patch = { kind: 'dog', 'x-a': 1 };
    expect(validators.forPatch(patchOf({ ...schema, unevaluatedProperties: false }))(patch)).toEqual({
      value: patch,
    });
    expect(validators.forPatch(patchOf(schema, 'refuse'))(patch)).toEqual({ value: patch });
    expect(dropUnknown(patch, compileShape(patchOf(schema, 'drop'), false))).toEqual(patch);
    const isOther = 'additionalProperties' in then;
    expect('errors' in validators.forPatch(patchOf(schema, 'refuse'))({ moo: 1 })).toBe(!isOther);
  });
});
