import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf, sendJson } from '../../factories/http/requests';
import { HOSTING } from '../../factories/processes/start-refusal';
import { ShopModule } from '../../fixtures/shop/shop-module';

describe('body validation', () => {
  const shop = new ShopModule();
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [shop] })));
  afterAll(() => platform.stop());
  beforeEach(() => {
    shop.products.kept.clear();
    shop.products.create({ product_id: 'lamp', title: 'A lamp', price: 20, tags: ['light'] });
  });

  const post = (body: unknown) => platform.request('/shop/products', sendJson(body));
  const patch = (body: unknown) => platform.request('/shop/products/lamp', sendJson(body, 'PATCH'));
  const errorsOf = async (answer: Response) => {
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    return (await bodyOf(answer)).errors;
  };

  it('reports all errors, with pointer, keyword and message', async () => {
    const body = {
      price: -1,
      since: 'yesterday',
      tags: ['ok', 'NOT OK'],
      size: { width: 1.5 },
      colour: 'red',
    };
    const answer = await post(body);
    const errors = await errorsOf(answer);
    expect(errors).toEqual(
      expect.arrayContaining([
        { pointer: '/title', keyword: 'required', message: 'is required' },
        { pointer: '/colour', keyword: 'additionalProperties', message: 'unknown member' },
        { pointer: '/price', keyword: 'minimum', message: 'must be >= 0' },
        { pointer: '/since', keyword: 'format', message: 'must match format "date"' },
        { pointer: '/tags/1', keyword: 'pattern', message: 'must match pattern "^[a-z]+$"' },
        { pointer: '/size/width', keyword: 'type', message: 'must be integer' },
      ]),
    );
    expect(errors).toHaveLength(6);
    expect(shop.products.kept.size).toBe(1);
  });

  it('counts the errors in the detail', async () => {
    expect(await bodyOf(await post({ title: '' }))).toMatchObject({
      title: 'Unprocessable Content',
      detail: 'The body has an error; see "errors".',
    });
    expect(await bodyOf(await post({ title: '', price: -1 }))).toMatchObject({
      detail: 'The body has 2 errors; see "errors".',
    });
  });

  it('adds defaults, also to nested members', async () => {
    const answer = await post({ title: 'A cup', size: { width: 8 } });
    expect(await answer.json()).toMatchObject({ title: 'A cup', price: 0, size: { width: 8, height: 1 } });
  });

  it.each([[[]], ['text'], [7], [null], [true]])('rejects %j if an object is required', async (body) => {
    expect(await errorsOf(await post(body))).toEqual([
      { pointer: '', keyword: 'type', message: 'must be object' },
    ]);
  });

  it('validates the members of a patch, and adds no required members or defaults', async () => {
    const answer = await patch({ title: 'A torch' });
    expect(await answer.json()).toEqual({ product_id: 'lamp', title: 'A torch', price: 20, tags: ['light'] });
    expect(await errorsOf(await patch({ price: -1 }))).toEqual([
      expect.objectContaining({ pointer: '/price' }),
    ]);
  });

  it('accepts a patch without members, which changes nothing', async () => {
    const before = await bodyOf(await platform.request('/shop/products/lamp'));
    const answer = await patch({});
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(before);
  });

  it('requires the complete entity for PUT', async () => {
    const answer = await platform.request('/shop/products/lamp', sendJson({ price: 3 }, 'PUT'));
    expect(await errorsOf(answer)).toEqual([
      expect.objectContaining({ pointer: '/title', keyword: 'required' }),
    ]);
    expect(shop.products.kept.get('lamp')).toMatchObject({ price: 20 });
  });

  it('coerces the values of a form to the declared types', async () => {
    const send = (body: string) =>
      platform.request('/shop/products', {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
    const answer = await send('title=17&price=3.5&tags=one');
    expect(answer.status).toBe(201);
    expect(await bodyOf(answer)).toMatchObject({ title: '17', price: 3.5, tags: ['one'] });
    for (const price of ['three', '%20', '', '0x10']) {
      expect(await errorsOf(await send(`title=A+cup&price=${price}`))).toEqual([
        { pointer: '/price', keyword: 'type', message: 'must be number' },
      ]);
    }
  });
});

/** A procedure that ignores undeclared parameters. */
const Loose = defineRpcService({
  route: '/loose',
  unknown_query: 'ignore',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ word: Type.Optional(Type.String()) }),
      handler: ({ query }) => ({ query }),
    }),
  },
});

const loose: Module = {
  name: 'loose',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Loose', versions: { 1: { services: { Loose } } } })],
};

describe('query validation', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule(), loose] });
  });
  afterAll(() => platform.stop());

  it.each([
    ['tags=caf%E9', ['tags']],
    ['tags=caf%C3%A9&tags=%C3', ['tags']],
    ['exact=true&tags=%ff&count=2', ['tags']],
  ])(
    'refuses bytes that are not UTF-8, which would be read as replacement characters: %s',
    async (query, names) => {
      const answer = await platform.request(`/v1/shop/echo?${query}`);
      expect(answer.status).toBe(400);
      expect((await bodyOf(answer)).errors).toEqual(
        names.map((parameter) => ({ parameter, message: 'has percent-encoded bytes that are not UTF-8' })),
      );
    },
  );

  it.each([
    ['tags=caf%C3%A9', 'café'],
    ['tags=100%', '100%'],
    ['tags=%zz', '%zz'],
  ])('accepts %s', async (query, tag) => {
    const answer = await platform.request(`/v1/shop/echo?${query}`);
    expect([answer.status, (await bodyOf(answer)).query]).toEqual([200, { count: 7, tags: [tag] }]);
  });

  it('ignores such bytes in parameters that are not declared', async () => {
    const answer = await platform.request('/v1/loose?utm_source=caf%E9&word=caf%C3%A9');
    expect([answer.status, await bodyOf(answer)]).toEqual([200, { query: { word: 'café' } }]);
    expect((await platform.request('/v1/loose?utm_source=x&word=caf%E9')).status).toBe(400);
  });
});
