import { Type } from '@sinclair/typebox';
import { defineApi, defineProcedure, defineRpcService } from '../../../src/platform';
import { Validators } from '../../../src/modules/content-validation';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { HOSTING } from '../../factories/processes/start-refusal';

const Item = Type.Object({
  price: Type.Number(),
  code: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  unit: Type.Optional(Type.String({ default: 'kg' })),
});
const schema = Type.Object(
  {
    count: Type.Integer(),
    name: Type.Optional(Type.String()),
    either: Type.Optional(Type.Union([Type.Integer(), Type.Literal('all')])),
    item: Type.Optional(Item),
    items: Type.Optional(Type.Array(Item)),
    ok: Type.Optional(Type.Boolean()),
    until: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date' })),
    limit: Type.Optional(Type.Integer({ default: 3 })),
  },
  { additionalProperties: false },
);

describe('a field of a form that is JSON', () => {
  const validators = new Validators();
  const validate = validators.forForm(schema);
  const pointers = (form: object, check = validate): unknown => {
    const checked = check(form);
    return 'errors' in checked ? checked.errors.map(({ pointer }) => pointer) : checked.value;
  };

  it('may be a member of branches of a union, all of which have it as JSON', () => {
    const branch = (kind: string, place: object) => ({
      type: 'object',
      properties: { kind: { const: kind }, place },
    });
    const place = { type: 'object', properties: { name: { type: 'string' } } };
    const form = { kind: 'a', place: '{"name":"Here"}' };
    const union = { anyOf: [branch('a', place), { type: 'object', properties: { kind: { const: 'b' } } }] };
    expect(pointers(form, validators.forForm(union))).toEqual({ kind: 'a', place: { name: 'Here' } });
    const mixed = { anyOf: [branch('b', place), branch('a', { type: 'string' })] };
    expect(pointers(form, validators.forForm(mixed))).toEqual(form);
  });

  it('has the pointer of an item if it is the only one of a list', () => {
    const exact = validators.forForm(schema, undefined, { limits: { exactNumbers: true } });
    expect(pointers({ count: '2', items: '{"price":12345678901234567.123}' }, exact)).toEqual([
      '/items/0/price',
    ]);
  });

  it('is not converted, while the texts next to it are', () => {
    const item = { price: 1.5, code: 5 };
    expect(validate({ count: '2', item, items: [item, item], either: '7', until: '' })).toEqual({
      value: {
        count: 2,
        item: { ...item, unit: 'kg' },
        items: [
          { ...item, unit: 'kg' },
          { ...item, unit: 'kg' },
        ],
        either: 7,
        until: null,
        limit: 3,
      },
    });
    expect(validate({ count: 2, name: 'a', items: item })).toEqual({
      value: { count: 2, name: 'a', items: [{ ...item, unit: 'kg' }], limit: 3 },
    });
  });

  it.each([
    [{ price: null }, '/item/price'],
    [{ price: ' ' }, '/item/price'],
    [{ price: '0x10' }, '/item/price'],
    [{ price: true }, '/item/price'],
    [{ price: '5' }, '/item/price'],
    [{ price: 1, unit: null }, '/item/unit'],
    [{ price: 1, unit: 5 }, '/item/unit'],
    [null, '/item'],
  ])('is invalid with %j', (item, pointer) => {
    expect(pointers({ count: '2', item })).toEqual([pointer]);
  });

  it('is invalid if its own value has another type', () => {
    expect(pointers({ count: null })).toEqual(['/count']);
    expect(pointers({ count: true })).toEqual(['/count']);
    expect(pointers({ count: '2', name: 5 })).toEqual(['/name']);
    expect(pointers({ count: '2', ok: null })).toEqual(['/ok']);
    expect(pointers({ count: '2', either: true })).toEqual(expect.arrayContaining(['/either']));
  });

  it('has its errors next to those of texts and of the whole form', () => {
    expect(pointers({ count: 'a', item: { price: null }, x: {} })).toEqual(['/count', '/x', '/item/price']);
    expect(pointers({ item: { price: null } })).toEqual(['/count', '/item/price']);
    expect(pointers({ item: { price: 1 } })).toEqual(['/count']);
  });

  it('may be a text, where no text is valid', () => {
    expect(validate({ count: '2', name: '{}', item: ' {"price":1.5}', items: '{"price":2}' })).toMatchObject({
      value: { name: '{}', item: { price: 1.5 }, items: [{ price: 2 }] },
    });
    const items = [{ price: 1 }, { price: 2 }];
    for (const texts of [JSON.stringify(items), items.map((one) => JSON.stringify(one))])
      expect(validate({ count: '2', items: texts })).toMatchObject({ value: { items } });
    expect(pointers({ count: '2', item: 'text' })).toEqual(['/item']);
    expect(pointers({ count: '2', item: '' })).toEqual(['/item']);
    expect(pointers({ count: '2', items: ['{"price":1}', '{"price":"2"}'] })).toEqual(['/items/1/price']);
  });

  it('is refused as a text that is not JSON, too deep, or has a member twice', () => {
    const limited = validators.forForm(schema, undefined, { limits: { depth: 3 } });
    for (const [item, code] of [
      ['{', 'bad_json'],
      ['{"price":1,"price":2}', 'bad_json'],
      ['{"a":[[[]]]}', 'nested_too_deeply'],
    ] as const)
      expect(() => limited({ count: '2', items: ['{}', item] })).toThrow(
        expect.objectContaining({ code }) as Error,
      );
  });

  it('is refused as a text with a number that is not exact, if numbers have to be', () => {
    const exact = validators.forForm(schema, undefined, { limits: { exactNumbers: true } });
    const item = '{"price":12345678901234567.123}';
    expect(pointers({ count: '2', item }, exact)).toEqual(['/item/price']);
    expect(validate({ count: '2', item })).toHaveProperty('value');
  });

  it('is an object or a list in all branches of its schema', () => {
    const one = { type: 'object', properties: { a: { type: 'integer' } } };
    const properties = {
      nullable: { anyOf: [{ $ref: '#/$defs/one' }, { type: 'null' }] },
      lists: { type: ['array', 'null'], items: { type: 'array', items: { type: 'integer' } } },
      composed: { allOf: [{ description: 'One' }, one] },
      either: { oneOf: [one, { type: 'string' }] },
      texts: { type: 'array', items: { type: 'string' } },
    };
    const of = validators.forForm({ type: 'object', properties, $defs: { one } });
    const text = '{"a":1}';
    expect(of({ nullable: text, lists: '[[1],[2]]', composed: text, either: text, texts: text })).toEqual({
      value: { nullable: { a: 1 }, composed: { a: 1 }, lists: [[1], [2]], either: text, texts: [text] },
    });
  });

  it('adds no defaults to a patch', () => {
    const patch = validators.forForm(Type.Partial(schema), undefined, { isPatch: true });
    expect(patch({ item: { price: 1 }, count: '4' })).toEqual({ value: { item: { price: 1 }, count: 4 } });
    expect(pointers({ item: { price: null } }, patch)).toEqual(['/item/price']);
  });

  it('is not converted in a form of several schemas', () => {
    const form = validators.forForm(Type.Intersect([schema, Type.Object({ count: Type.Integer() })]));
    expect(form({ count: '2', item: { price: 1 } })).toMatchObject({
      value: { count: 2, item: { price: 1 } },
    });
    expect(pointers({ count: '2', item: { price: null } }, form)).toEqual(['/item/price']);
  });
});

describe('a multipart form with JSON', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const Echo = defineRpcService({
      route: '/echo',
      content_type: ['multipart/form-data'],
      methods: { POST: defineProcedure({ fields: schema, handler: ({ body }) => body }) },
    });
    const apis = [defineApi({ name: 'Forms', versions: { 1: { services: { Echo } } } })];
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [{ name: 'forms', requires: ['hosting'], apis }],
    });
  });
  afterAll(() => platform.stop());

  const send = async (item: unknown): Promise<readonly [number, unknown]> => {
    const lines = [
      '--b',
      'Content-Disposition: form-data; name="count"',
      '',
      '2',
      '--b',
      'Content-Disposition: form-data; name="item"',
      'Content-Type: application/json',
      '',
      JSON.stringify(item),
      '--b--',
      '',
    ];
    const response = await platform.request('/echo', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: lines.join('\r\n'),
    });
    return [response.status, await response.json()];
  };

  it('refuses a value of another type, as a body of JSON does', async () => {
    expect(await send({ price: null })).toMatchObject([422, { errors: [{ pointer: '/item/price' }] }]);
    expect(await send({ price: 3, code: 5 })).toMatchObject([200, { count: 2, item: { price: 3, code: 5 } }]);
  });
});
