import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { sendRaw } from '../../factories/http/raw-http';
import { bodyOf, sendJson } from '../../factories/http/requests';
import { HOSTING } from '../../factories/processes/start-refusal';
import { ShopModule } from '../../fixtures/shop/shop-module';

describe('a request body', () => {
  const shop = new ShopModule();
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [shop] })));
  afterAll(() => platform.stop());
  beforeEach(() => shop.products.kept.clear());

  const post = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
    platform.request('/shop/products', { method: 'POST', body, headers: { 'Content-Type': type } });

  it.each([
    ['malformed JSON', '{"title": "A cup"', 'The body is not valid JSON: '],
    [
      'JSON with a member named __proto__',
      '{"title":"A cup","__proto__":{"price":1}}',
      'must not be named "__proto__"',
    ],
    ['text that is not UTF-8', new Uint8Array([0x22, 0xe9, 0x22]), 'it is not UTF-8'],
  ])('is rejected with 400 when it is %s', async (_, body, detail) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect((await bodyOf(answer)).detail).toContain(detail);
    expect(shop.products.kept.size).toBe(0);
  });

  it.each([
    ['two media types', 'Content-Type: application/json\r\ncontent-type: text/plain'],
    ['the same media type twice', 'Content-Type: application/json\r\nContent-Type: application/json'],
    ['two unsupported media types', 'Content-Type: text/plain\r\nContent-Type: text/csv'],
  ])('is rejected with 400 when its Content-Type lines have %s', async (_, lines) => {
    const answer = await sendRaw(
      platform.origin,
      `POST /shop/products HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\nContent-Length: 17\r\n\r\n{"title":"A cup"}`,
    );
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('The request has more than one Content-Type field line (RFC 9110, 8.3).');
    expect(shop.products.kept.size).toBe(0);
  });

  it.each([
    ['/shop/products', 'application/json', `{"title":${'['.repeat(900)}${']'.repeat(900)}}`],
    ['/v1/shop/echo', 'application/json', `${'{"says":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
    ['/v1/shop/echo', 'application/json', '['.repeat(100_000)],
  ])('to %s is rejected with 400 when its JSON is nested too deeply', async (to, type, body) => {
    const answer = await platform.request(to, {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    });
    expect(answer.status).toBe(400);
    expect(await bodyOf(answer)).toMatchObject({ limit: 200 });
  });

  it('is read as JSON with a charset, and with a media type of the API', async () => {
    expect((await post('{"title":"Käse"}', 'application/json; charset=UTF-8')).status).toBe(201);
    const shelf = await platform.request('/v1/shop/echo', {
      method: 'POST',
      body: '{"says":1}',
      headers: { 'Content-Type': 'Application/vnd.Shop.v1+JSON' },
    });
    expect(shelf.status).toBe(200);
  });

  it('is read as a form if the service accepts forms', async () => {
    const answer = await post('title=A+cup&product_id=%C3%A9', 'application/x-www-form-urlencoded');
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ title: 'A cup', product_id: 'é', price: 0 });
  });

  it.each([
    ['application/xml', '<cup/>'],
    ['application/json; charset=latin1', '{"title":"A cup"}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['nonsense', '{"title":"A cup"}'],
    ['application/json;', '{"title":"A cup"}'],
  ])('of type %s is accepted, or rejected with 415', async (type, body) => {
    const answer = await post(body, type);
    expect(answer.status).toBe(type === 'application/json;' ? 201 : 415);
  });

  it('of an unsupported type gets a 415 that lists the supported types', async () => {
    const answer = await post('<cup/>', 'application/xml');
    expect(answer.headers.get('accept')).toBe('application/json, application/x-www-form-urlencoded');
    expect(await bodyOf(answer)).toMatchObject({
      status: 415,
      supported: ['application/json', 'application/x-www-form-urlencoded'],
    });
  });

  it('is rejected with 415 without a Content-Type', async () => {
    const request =
      'POST /shop/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 17\r\n\r\n{"title":"A cup"}';
    const answer = await sendRaw(platform.origin, request);
    expect(answer.status).toBe(415);
    expect(answer.body).toContain('The request has no Content-Type. Supported: application/json, ');
    expect(shop.products.kept.size).toBe(0);
  });

  it.each([
    ['is not sent', { method: 'POST' }],
    ['is empty', { method: 'POST', body: '', headers: { 'Content-Type': 'application/json' } }],
    ['is white space', { method: 'POST', body: ' ', headers: { 'Content-Type': 'application/json' } }],
  ])('is rejected with 422 when it %s but is required', async (_, init: RequestInit) => {
    const answer = await platform.request('/shop/products', init);
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      { pointer: '', keyword: 'required', message: 'a body is required' },
    ]);
  });

  it('may be sent in chunks', async () => {
    const request =
      'POST /shop/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n' +
      'Transfer-Encoding: chunked\r\n\r\n8\r\n{"title"\r\n9\r\n:"A cup"}\r\n0\r\n\r\n';
    expect((await sendRaw(platform.origin, request)).status).toBe(201);
  });

  it('is ignored by an operation without a body', async () => {
    const answer = await platform.request('/shop/products/none', sendJson({ any: 'thing' }, 'DELETE'));
    expect(answer.status).toBe(404);
  });
});

describe('the maximum depth of JSON bodies', () => {
  it('is set by body_depth, and a result of that depth can be returned', async () => {
    const platform = await startTestPlatform({
      modules: HOSTING,
      extra: [new ShopModule()],
      local: { 'platform-content-negotiation': { body_depth: 1_000 } },
    });
    try {
      const echo = async (depth: number): Promise<Response> =>
        platform.request('/v1/shop/echo', {
          method: 'POST',
          body: `{"says":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`,
          headers: { 'Content-Type': 'application/json' },
        });
      expect((await echo(1_000)).status).toBe(200);
      expect((await echo(1_001)).status).toBe(400);
    } finally {
      await platform.stop();
    }
  });
});
