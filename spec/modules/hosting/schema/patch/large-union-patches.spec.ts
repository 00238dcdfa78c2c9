import { Type } from '../../../../../src/platform';
import { Validators } from '../../../../../src/modules/content-validation';
import { mergePatchSchema } from '../../../../../src/modules/hosting/schema/patch/patch-schema';
import { withMember } from '../../../../../src/modules/hosting/schema/member-schema';

const COUNT = 300;

const branch = (at: number) => ({
  type: 'object',
  properties: { kind: { const: `k${at}` }, [`size${at}`]: { type: 'integer' }, note: { type: 'string' } },
  required: ['kind'],
  additionalProperties: false,
});
const branches = (count: number) => Array.from({ length: count }, (_, at) => branch(at));

const inline = (count: number) => Type.Unsafe<object>({ oneOf: branches(count) });
const referenced = (count: number) =>
  Type.Unsafe<object>({
    oneOf: branches(count).map((_, at) => ({ $ref: `#/$defs/B${at}` })),
    $defs: Object.fromEntries(branches(count).map((one, at) => [`B${at}`, one])),
  });

const patchOf = (schema: object) => new Validators().forPatch(mergePatchSchema(Type.Unsafe(schema)) ?? {});

describe.each([
  ['written out', inline],
  ['referenced', referenced],
] as const)('the merge patch of a union of hundreds of closed schemas, %s', (_name, union) => {
  const validate = patchOf(union(COUNT));

  it.each([
    [{}],
    [{ size7: 1 }],
    [{ size7: null }],
    [{ kind: 'k7', size7: 1, size8: null, note: null }],
    [{ note: 'x', size1: null, size2: null }],
  ])('accepts %j', (patch) => {
    expect(validate(patch)).toEqual({ value: patch });
  });

  it.each([
    [{ size7: 'x' }, '/size7'],
    [{ size7: 1, size8: 1 }, '/size8'],
    [{ kind: null }, '/kind'],
    [{ kind: 'k7', size8: 1 }, '/size8'],
    [{ other: null }, '/other'],
    ['a text', ''],
  ])('refuses %j', (patch, pointer) => {
    expect(validate(patch)).toEqual({
      errors: expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown,
    });
  });

  it('grows with the number of the schemas, not with its square', () => {
    const sizeOf = (count: number): number => JSON.stringify(mergePatchSchema(union(count))).length;
    expect(sizeOf(8 * 50)).toBeLessThan(10 * sizeOf(50));
  });
});

it('A merge patch of a large union accepts what its open, composed and other schemas do', () => {
  const open = { type: 'object', properties: { open: { type: 'string' } } };
  const patterns = { ...branch(COUNT), patternProperties: { '^x-': { type: 'integer' } } };
  const composed = {
    type: 'object',
    allOf: [{ properties: { whole: { type: 'string' } } }],
    unevaluatedProperties: false,
  };
  const others = [patterns, composed, { type: 'string' }];
  const validate = patchOf({
    type: 'object',
    properties: { it: { anyOf: [...branches(COUNT), ...others] } },
  });
  const accepts = (it: unknown): boolean => 'value' in validate({ it });
  expect(
    [{ size3: 1 }, { 'x-a': 1 }, { 'x-a': null }, { whole: 'x', size3: null }, 'x', null].map(accepts),
  ).toEqual(Array.from({ length: 6 }, () => true));
  expect(
    [{ 'x-a': 'x' }, { 'x-a': 1, size3: 1 }, { whole: 1 }, { whole: 'x', size3: 1 }, 5].map(accepts),
  ).toEqual(Array.from({ length: 5 }, () => false));
  const withOpen = patchOf({ anyOf: [...branches(COUNT), open] });
  expect([withOpen({ open: 'x', size3: 'x', any: 1 }), withOpen({ open: 1, any: 1 })]).toEqual([
    { value: { open: 'x', size3: 'x', any: 1 } },
    { errors: expect.anything() as unknown },
  ]);
});

it.each([11, 22, 60])('An unknown member is the first error of a patch of a union of %d schemas', (count) => {
  const result = patchOf(inline(count))({ other: 1, size1: 1 });
  const [first] = 'errors' in result ? result.errors : [];
  expect(first).toMatchObject({ pointer: '/other', message: 'unknown member' });
});

it.each([11, 22])('A patch of a union of %d schemas is validated without its unknown members', (count) => {
  const validate = new Validators().forPatch(mergePatchSchema(inline(count)) ?? {}, 'drop');
  expect(validate({ size1: 1, other: 1 })).toEqual({ value: { size1: 1 } });
});

it('A patch of a list with a large union includes the identifier', () => {
  const patch = mergePatchSchema(inline(COUNT)) ?? Type.Any();
  const validate = new Validators().forPatch(withMember(patch, 'id', Type.String()));
  expect(validate({ id: '1', size7: 1 })).toEqual({ value: { id: '1', size7: 1 } });
  expect(validate({ id: 1, size7: 1 })).toHaveProperty('errors');
});

it.each([2, 60])(
  'A patch of a list with %d schemas without unevaluated members includes the identifier',
  (count) => {
    const union = branches(count).map(({ additionalProperties: _, ...one }) => ({
      ...one,
      unevaluatedProperties: false,
    }));
    const patch = mergePatchSchema(Type.Unsafe({ oneOf: union })) ?? Type.Any();
    const validate = new Validators().forPatch(withMember(patch, 'id', Type.String()));
    expect(validate({ id: '1', size1: 1 })).toEqual({ value: { id: '1', size1: 1 } });
    expect(validate({ id: 1, size1: 1 })).toHaveProperty('errors');
  },
);

it('A merge patch has no discriminator, whose member it need not have', () => {
  const pets = {
    oneOf: [{ $ref: '#/$defs/B0' }, { $ref: '#/$defs/B1' }],
    discriminator: { propertyName: 'kind', mapping: { k0: '#/$defs/B0', k1: '#/$defs/B1' } },
    $defs: { B0: branch(0), B1: branch(1) },
  };
  const text = JSON.stringify(mergePatchSchema(Type.Unsafe(pets)));
  expect(text).not.toContain('discriminator');
  // Only the patched schemas are documented.
  const { $defs } = JSON.parse(text) as { readonly $defs: object };
  expect(Object.keys($defs)).toEqual(['B0Patch', 'B1Patch']);
});

it('more members than a call has arguments may have read-only ones in them', () => {
  const A = { type: 'object', properties: { x: { type: 'object', properties: { y: { readOnly: true } } } } };
  const names = Array.from({ length: 150_000 }, (_, at) => `m${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/A' }]));
  const then = { properties: { all: { type: 'object', properties } } };
  const schema = Type.Unsafe<object>({ type: 'object', if: { required: ['all'] }, then, $defs: { A } });
  expect(mergePatchSchema(schema)).toHaveProperty('$defs.ReadOnlyPartsPatch');
});
