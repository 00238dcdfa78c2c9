import { Type, type TSchema } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { HypermediaCollection, HypermediaEntity } from '../../../src/modules/content-negotiation';
import { toHal } from '../../../src/modules/hal/hal';
import { halSchema } from '../../../src/modules/hal/hal-schema';

const closed = { additionalProperties: false };
const A = Type.Object({ a: Type.String() }, closed);
const B = Type.Object({ b: Type.String() }, closed);
const shared = (keywords: object): TSchema => Type.Unsafe({ ...keywords, $defs: { A, B } });
const OPEN_A = Type.Object({ a: Type.String() });
const BOTH = { unevaluatedProperties: false };

describe('the documented schema of', () => {
  const accepts = (schema: object, value: unknown): boolean => {
    const ajv = new Ajv2020({ strict: false });
    addFormats(ajv);
    return ajv.validate(schema, value);
  };
  const shown = (content: unknown): unknown =>
    toHal(new HypermediaEntity(content, { links: { self: '/x' }, embedded: { other: { c: 1 } } }));

  it.each<[string, TSchema]>([
    ['a union of objects', Type.Union([A, B])],
    ['a union of unions', Type.Union([B, Type.Union([A, Type.Null()])])],
    ['an object or null', Type.Union([A, Type.Null()])],
    ['exclusive objects', Type.Unsafe({ oneOf: [A, B] })],
    ['referenced objects', shared({ oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] })],
    [
      'objects with a discriminator',
      shared({
        oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
        discriminator: { propertyName: 'a', mapping: { x: '#/$defs/A' } },
      }),
    ],
    ['an intersection', Type.Intersect([OPEN_A, Type.Object({ a: Type.Literal('x') })], BOTH)],
  ])('%s accepts its HAL representation', (_, schema) => {
    const documented = halSchema(schema, { kind: 'entity' });
    expect([{ a: 'x' }, { a: 1 }, { c: 'x' }].map((value) => accepts(documented, shown(value)))).toEqual([
      true,
      false,
      false,
    ]);
    expect(documented).not.toHaveProperty('discriminator');
    const list = halSchema(
      {
        type: 'array',
        items: schema,
        ...(schema.$defs === undefined ? {} : { $defs: schema.$defs as object }),
      },
      { kind: 'collection', name: 'items' },
    );
    const items = [new HypermediaEntity({ a: 'x' }, { links: { self: '/x' } })];
    expect(accepts(list, toHal(new HypermediaCollection(items, { links: { self: '/' } })))).toBe(true);
  });

  it('a union of scalars is unchanged', () => {
    const scalar = Type.Union([Type.String(), Type.Null()]);
    expect(halSchema(scalar, { kind: 'entity' })).toBe(scalar);
  });
});
