import { ShopModule } from '../../../fixtures/shop/shop-module';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

describe.each([
  ['is synchronous', '/v1'],
  ['is asynchronous', '/v2'],
])('a REST service whose resource %s', (_, prefix) => {
  const shop = new ShopModule();
  let platform: TestPlatform;
  const ask = (to: string, init?: RequestInit) => platform.request(prefix + to, init);
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [shop] })));
  afterAll(() => platform.stop());
  beforeEach(() => {
    shop.products.kept.clear();
    shop.products.create({ product_id: 'lamp', title: 'A lamp', price: 20 });
  });

  it('returns an entity', async () => {
    const answer = await ask('/shop/products/lamp');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ product_id: 'lamp', title: 'A lamp', price: 20 });
  });

  it('lists the collection', async () => {
    const answer = await ask('/shop/products');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ products: [{ product_id: 'lamp' }], total_items: 1 });
  });

  it('creates an entity and returns its Location', async () => {
    const answer = await ask('/shop/products', sendJson({ product_id: 'cup', title: 'A cup' }));
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ product_id: 'cup', title: 'A cup', price: 0 });
    expect(answer.headers.get('location')).toBe(`${prefix}/shop/products/cup`);
    // The content is the entity itself (RFC 9110, 8.7).
    expect(answer.headers.get('content-location')).toBe(`${prefix}/shop/products/cup`);
    expect(shop.products.kept.get('cup')).toMatchObject({ title: 'A cup' });
  });

  it('replaces an entity', async () => {
    const answer = await ask('/shop/products/lamp', sendJson({ title: 'A torch' }, 'PUT'));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ product_id: 'lamp', title: 'A torch', price: 0 });
  });

  it('changes only what a patch names', async () => {
    const answer = await ask('/shop/products/lamp', sendJson({ title: 'A torch' }, 'PATCH'));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ product_id: 'lamp', title: 'A torch', price: 20 });
  });

  it('deletes an entity and responds 204 without a body', async () => {
    const answer = await ask('/shop/products/lamp', { method: 'DELETE' });
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('content-length')).toBeNull();
    expect(shop.products.kept.has('lamp')).toBe(false);
  });

  it.each([
    ['GET', undefined],
    ['PUT', { title: 'A torch' }],
    ['PATCH', { title: 'A torch' }],
    ['DELETE', undefined],
  ])('responds 404 to %s of an entity that does not exist', async (method, body) => {
    const answer = await ask('/shop/products/none', body === undefined ? { method } : sendJson(body, method));
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toEqual({
      type: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5',
      title: 'Not Found',
      status: 404,
      detail: 'Product has no entity "none".',
      request_id: expect.any(String) as unknown,
    });
  });

  it('responds to HEAD like GET, without the body', async () => {
    const answer = await ask('/shop/products/lamp', { method: 'HEAD' });
    const got = await ask('/shop/products/lamp');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('content-length')).toBe(String((await got.text()).length));
  });
});

describe('the identifier of an entity', () => {
  const shop = new ShopModule();
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [shop] })));
  afterAll(() => platform.stop());

  it.each([
    ['0', '0'],
    ['with a space', 'two%20words'],
    ['beyond ASCII', 'K%C3%A4se-%E2%82%AC-%F0%9F%A7%80'],
    ['with a slash', 'a%2Fb'],
    ['with a percent sign', '100%25'],
    ['with a dot', 'v1.5'],
    ["longer than a router's default limit", 'x'.repeat(500)],
    ['named like a member of Object.prototype', 'constructor'],
  ])('may be one %s, in Location and in the path', async (_, encoded) => {
    const id = decodeURIComponent(encoded);
    const created = await platform.request('/shop/products', sendJson({ product_id: id, title: 'Cheese' }));
    const location = created.headers.get('location');
    expect(location).toBe(`/shop/products/${encoded}`);
    const answer = await platform.request(location ?? '');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ product_id: id });
  });

  it('is not empty', async () => {
    const answer = await platform.request('/shop/products/');
    expect(answer.status).toBe(404);
  });

  it.each(['/shop/products/%', '/shop/products/%zz', '/shop/products/%FF'])(
    'must be percent-encoded UTF-8: %s is a 400',
    async (path) => {
      const answer = await platform.request(path);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    },
  );

  it('has no version in Location when the request had none', async () => {
    const created = await platform.request('/shop/products', sendJson({ product_id: 'a', title: 'An A' }));
    expect(created.headers.get('location')).toBe('/shop/products/a');
  });
});

describe('a service with a base URL', () => {
  it('has it in Location and Link', async () => {
    const local = { server: { base_url: '/gateway' } };
    const platform = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()], local });
    try {
      const created = await platform.request('/gateway/v2/shop/products', sendJson({ title: 'A cup' }));
      expect(created.headers.get('location')).toBe('/gateway/v2/shop/products/0');
      const listed = await platform.request('/gateway/shop/products');
      expect(listed.headers.get('link')).toContain('</gateway/shop/products>; rel="first"');
      expect((await platform.request('/shop/products')).status).toBe(404);
    } finally {
      await platform.stop();
    }
  });
});
