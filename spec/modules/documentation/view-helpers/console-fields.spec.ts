import { describeSchema } from '../../../../src/modules/documentation/model/schema/describe-schema';
import {
  bodyField,
  inputSchema,
  itemsField,
} from '../../../../src/modules/documentation/view-helpers/console-fields';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const Cat = object({ kind: { const: 'cat' }, name: text });
const Dog = object({ kind: { const: 'dog' }, name: text });
const names = (fields: readonly { readonly name: string }[] = []): readonly string[] =>
  fields.map(({ name }) => name);

describe('the inputs of a body', () => {
  it('are the members of an object, and the items of lists at every depth', () => {
    const body = bodyField(object({ list: { type: 'array', items: { type: 'array', items: Cat } } }));
    const [list] = body?.fields ?? [];
    expect([list?.name, names(list?.items?.items?.fields)]).toEqual(['list', ['kind', 'name']]);
  });

  it('are the alternatives of a union, in addition to common members', () => {
    const body = bodyField({ ...object({ name: text }), oneOf: [Cat, Dog] });
    expect(names(body?.fields)).toEqual(['name']);
    expect(body?.alternatives?.map(({ name, fields }) => [name, names(fields)])).toEqual([
      ['cat', ['kind']],
      ['dog', ['kind']],
    ]);
    expect(body?.alternatives?.[0]?.fields[0]?.schema).toMatchObject({ type: 'string', enum: ['cat'] });
  });

  it.each([
    ['a list', { type: 'array', items: Cat }],
    ['a text', text],
    ['anything', {}],
    [
      'an object of too many members',
      object(Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`m${at}`, text]))),
    ],
  ])('are none for %s, which is edited as text', (_, schema) => {
    expect(bodyField(schema)).toBeUndefined();
  });

  it('end at recursion', () => {
    const Tree = object({ child: { $ref: '#/$defs/Tree' } });
    const [child] = bodyField({ $ref: '#/$defs/Tree', $defs: { Tree } })?.fields ?? [];
    expect(child).toMatchObject({ type: 'Tree', fields: [] });
  });
});

describe('the schema of an input', () => {
  it('has the bounds of the schema, the strictest of several', () => {
    const bounds = { minimum: 1, exclusiveMaximum: 9, multipleOf: 2 };
    expect(inputSchema(describeSchema({ type: 'integer', ...bounds }))).toMatchObject(bounds);
    const lengths = { minLength: 2, maxLength: 5, pattern: '^a' };
    expect(inputSchema(describeSchema({ type: 'string', ...lengths }))).toMatchObject(lengths);
    const all = {
      allOf: [
        { type: 'integer', minimum: 1, maximum: 9 },
        { minimum: 3, maximum: 12 },
      ],
    };
    expect(inputSchema(describeSchema(all))).toMatchObject({ minimum: 3, maximum: 9 });
    expect(inputSchema(describeSchema({ type: 'array', minItems: 1, maxItems: 3 }))).toMatchObject({
      minItems: 1,
      maxItems: 3,
    });
  });
});

describe('the items of a parameter', () => {
  const itemsOf = (schema: object) => itemsField('tag', describeSchema(schema));

  it('are those of a list of scalars', () => {
    expect(itemsOf({ type: 'array', items: { enum: ['a', 'b'], type: 'string' } })).toMatchObject({
      name: 'tag',
      type: 'string',
      schema: { enum: ['a', 'b'] },
    });
  });

  it.each([
    ['a text', text],
    ['a list of objects', { type: 'array', items: Cat }],
    ['a list of anything', { type: 'array' }],
    ['a list or a text', { type: ['array', 'string'], items: text }],
  ])('are none for %s', (_, schema) => {
    expect(itemsOf(schema)).toBeUndefined();
  });
});
