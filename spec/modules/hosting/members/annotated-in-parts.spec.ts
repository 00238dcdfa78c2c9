import { Type } from '../../../../src/platform';
import { Validators } from '../../../../src/modules/content-validation';
import { requestSchemas, responseSchema } from '../../../../src/modules/hosting/members/schema-variants';
import { exampleOfSchema } from '../../../../src/modules/documentation/model/example-of-schema';

// Schemas that extend a shared one often state there only which of its members clients do not send.

const text = { type: 'string' };
const Base = {
  type: 'object',
  properties: { id: text, name: text },
  required: ['id', 'name'],
  examples: [{ id: '1', name: 'Ada' }],
};
const Middle = { allOf: [{ $ref: '#/$defs/Base' }, { properties: { size: { type: 'integer' } } }] };
const $defs = { Base, Middle };

const extending = (member: object) => ({
  'a part next to a reference': { allOf: [{ $ref: '#/$defs/Base' }, { properties: { id: member } }] },
  'members next to a reference': { $ref: '#/$defs/Base', properties: { id: member } },
  'members next to allOf': { allOf: [{ $ref: '#/$defs/Base' }], properties: { id: member } },
  'three levels': { allOf: [{ $ref: '#/$defs/Middle' }, { properties: { id: member } }] },
  'branches of a union': { oneOf: [{ $ref: '#/$defs/Base' }], properties: { id: member } },
});

const names = Object.keys(extending({})) as readonly (keyof ReturnType<typeof extending>)[];
const schemaOf = (name: (typeof names)[number], member: object) =>
  Type.Unsafe<object>({ ...extending({ ...text, ...member })[name], $defs });

const sent = { name: 'Ada' };

describe.each(names)('a member of a shared schema that is annotated in %s', (name) => {
  it.each(['ignore', 'refuse'] as const)(
    'is not required of clients if it is read-only: %s',
    (readOnlyMembers) => {
      const { validated } = requestSchemas(schemaOf(name, { readOnly: true }), {
        fillsDefaults: true,
        readOnlyMembers,
      });
      const validate = new Validators().forBody(validated);
      expect(validate(sent)).toEqual({ value: sent });
      expect('errors' in validate({ ...sent, id: '1' })).toBe(readOnlyMembers === 'refuse');
      expect(validate({})).toHaveProperty('errors');
    },
  );

  it('is not required of responses if it is write-only', () => {
    const validate = new Validators().asIs(responseSchema(schemaOf(name, { writeOnly: true })));
    expect(validate(sent)).toEqual({ value: sent });
    expect(validate({})).toHaveProperty('errors');
  });

  it('is in no example where clients do not send or receive it', () => {
    const { documented } = requestSchemas(schemaOf(name, { readOnly: true }), {
      fillsDefaults: true,
      readOnlyMembers: 'ignore',
    });
    expect(exampleOfSchema(documented)).toEqual(sent);
    expect(exampleOfSchema(responseSchema(schemaOf(name, { writeOnly: true })))).toEqual(sent);
  });
});

it.each(names.filter((name) => name !== 'branches of a union'))(
  'a member of a shared schema with a default in %s is not required',
  (name) => {
    const { validated } = requestSchemas(schemaOf(name, { default: '7' }), {
      fillsDefaults: true,
      readOnlyMembers: 'ignore',
    });
    expect(new Validators().forBody(validated)(sent)).toEqual({ value: { id: '7', ...sent } });
  },
);

it('A shared schema keeps its name where it requires none of the annotated members of others', () => {
  const other = { properties: { key: { ...text, readOnly: true } } };
  const own = { ...Base, properties: { ...Base.properties, id: { ...text, readOnly: true } } };
  const schema = Type.Unsafe<object>({
    properties: { a: { $ref: '#/$defs/Own' }, b: { allOf: [{ $ref: '#/$defs/Own' }, other] } },
    $defs: { Own: own },
  });
  const { documented } = requestSchemas(schema, { fillsDefaults: true, readOnlyMembers: 'ignore' });
  expect(Object.keys(documented.$defs as object)).toEqual(['OwnRequest']);
});

it('A mapping refers to the schemas of branches that declare members of their schema to be read-only', () => {
  const pet = (kind: string) => ({
    type: 'object',
    properties: { id: text, kind: { const: kind } },
    required: ['id', 'kind'],
  });
  const members = { id: { ...text, readOnly: true } };
  const [cat, dog] = ['#/$defs/Cat', '#/$defs/Dog'];
  const schema = Type.Unsafe<object>({
    oneOf: [{ $ref: cat, properties: members }, { $ref: dog }],
    discriminator: { propertyName: 'kind', mapping: { cat, dog } },
    $defs: { Cat: pet('cat'), Dog: pet('dog') },
  });
  const { documented, validated } = requestSchemas(schema, {
    fillsDefaults: true,
    readOnlyMembers: 'ignore',
  });
  expect(documented.discriminator).toMatchObject({ mapping: { cat: '#/$defs/CatRequestChoice', dog } });
  expect(Object.keys(documented.$defs as object)).toEqual(['CatRequestChoice', 'Dog']);
  const validate = new Validators().forBody(validated);
  expect(validate({ kind: 'cat' })).toEqual({ value: { kind: 'cat' } });
  expect(validate({ kind: 'dog' })).toHaveProperty('errors');
});

describe.each([
  ['an inline schema', (declared: object, own: object) => ({ ...declared, ...own })],
  [
    'a shared schema',
    (declared: object, own: object) => ({ $ref: '#/$defs/Shared', ...own, $defs: { Shared: declared } }),
  ],
])('a read-only member of %s', (_what, schemaOf) => {
  const properties = { id: text, name: text, size: text };
  const dependentRequired = { name: ['id', 'size'], size: ['id'] };
  const schema = schemaOf(
    { type: 'object', properties, dependentRequired },
    { properties: { ...properties, id: { ...text, readOnly: true } } },
  );
  const { validated } = requestSchemas(Type.Unsafe<object>(schema), {
    fillsDefaults: true,
    readOnlyMembers: 'refuse',
  });
  const validate = new Validators().forBody(validated);

  it('is not required where other members are sent', () => {
    const both = { name: 'Ada', size: '1' };
    expect(validate(both)).toEqual({ value: both });
    expect(validate({ size: '1' })).toEqual({ value: { size: '1' } });
    expect(validate({ name: 'Ada' })).toHaveProperty('errors');
  });

  it('counts for the members that are required whichever they are', () => {
    const counted = (minProperties: number) =>
      schemaOf(
        { type: 'object', properties, minProperties },
        { properties: { ...properties, id: { ...text, readOnly: true } } },
      );
    const check = (minProperties: number) =>
      new Validators().forBody(
        requestSchemas(Type.Unsafe<object>(counted(minProperties)), {
          fillsDefaults: true,
          readOnlyMembers: 'refuse',
        }).validated,
      );
    expect(check(2)({ name: 'Ada' })).toEqual({ value: { name: 'Ada' } });
    expect(check(2)({})).toHaveProperty('errors');
    expect(check(3)({ name: 'Ada' })).toHaveProperty('errors');
    expect(check(1)({})).toEqual({ value: {} });
  });

  it('counts for no members that a definition does not declare itself', () => {
    const id = { ...text, readOnly: true };
    const check = (counting: object) =>
      new Validators().forBody(
        requestSchemas(
          Type.Unsafe<object>({
            $ref: '#/$defs/Counting',
            properties: { id },
            $defs: { Counting: { type: 'object', minProperties: 2, ...counting } },
          }),
          { fillsDefaults: true, readOnlyMembers: 'refuse' },
        ).validated,
      );
    for (const counting of [{}, { allOf: [{ properties }] }, { additionalProperties: text }]) {
      expect(check(counting)({ name: 'Ada' })).toEqual({ value: { name: 'Ada' } });
      expect(check(counting)({})).toHaveProperty('errors');
    }
  });

  it.each([
    { patternProperties: { '^x-': { ...text, readOnly: true } } },
    { additionalProperties: { ...text, readOnly: true } },
  ])('does not matter where any number of members is read-only: %j', (unnamed) => {
    const { validated } = requestSchemas(
      Type.Unsafe<object>({
        type: 'object',
        properties: { name: text },
        required: ['name'],
        minProperties: 2,
        ...unnamed,
      }),
      { fillsDefaults: true, readOnlyMembers: 'refuse' },
    );
    const validate = new Validators().forBody(validated);
    expect(validate({ name: 'Ada' })).toEqual({ value: { name: 'Ada' } });
    expect(validate({})).toHaveProperty('errors');
  });
});
