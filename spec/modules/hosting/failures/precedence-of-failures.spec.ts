import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { ShopModule } from '../../../fixtures/shop/shop-module';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';

const wrong = { Authorization: basic('ada', 'wrong') };
const ada = { Authorization: basic('ada', 'password') };
const bob = { Authorization: basic('bob', 'password') };
const v1 = { Accept: 'application/vnd.shop.v1+json' };
const image = { Accept: 'image/png' };
const json = { 'Content-Type': 'application/json' };
const xml = { 'Content-Type': 'application/xml' };

const malformed = '{"title":';
const invalid = '{"price":-1}';
const valid = '{"title":"A cup"}';
const large = JSON.stringify({ title: 'x'.repeat(3_000) });

/** Each request has two errors: the first one is reported. */
const requests: readonly (readonly [
  both: string,
  status: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
])[] = [
  ['no such path (404), wrong credentials (401)', 404, 'GET', '/v2/shop/nowhere', wrong],
  ['no such path (404), versions disagree (400)', 404, 'GET', '/v2/shop/nowhere', v1],
  ['no such version (404), wrong credentials (401)', 404, 'GET', '/v9/shop/products', wrong],
  ['versions disagree (400), wrong credentials (401)', 400, 'GET', '/v2/shop/products', { ...v1, ...wrong }],
  ['wrong credentials (401), no such method (405)', 401, 'DELETE', '/v2/shop/products', wrong],
  ['no such method (405), guest (401)', 405, 'DELETE', '/v2/shop/products', {}],
  ['no such method (405), user not permitted (403)', 405, 'DELETE', '/v2/shop/products', bob],
  ['guest (401), malformed body (400)', 401, 'POST', '/v2/shop/products', json, malformed],
  [
    'user not permitted (403), malformed body (400)',
    403,
    'POST',
    '/v2/shop/products',
    { ...bob, ...json },
    malformed,
  ],
  ['guest (401), too large (413)', 401, 'POST', '/v2/shop/products', json, large],
  ['user not permitted (403), too large (413)', 403, 'POST', '/v2/shop/products', { ...bob, ...json }, large],
  ['guest (401), not acceptable (406)', 401, 'POST', '/v2/shop/products', { ...json, ...image }, valid],
  [
    'malformed body (400), not acceptable (406)',
    400,
    'POST',
    '/v2/shop/products',
    { ...ada, ...json, ...image },
    malformed,
  ],
  [
    'too large (413), not acceptable (406)',
    413,
    'POST',
    '/v2/shop/products',
    { ...ada, ...json, ...image },
    large,
  ],
  ['too large (413), unsupported type (415)', 413, 'POST', '/v2/shop/products', { ...ada, ...xml }, large],
  [
    'not acceptable (406), unsupported type (415)',
    406,
    'POST',
    '/v2/shop/products',
    { ...ada, ...xml, ...image },
    valid,
  ],
  [
    'not acceptable (406), invalid (422)',
    406,
    'POST',
    '/v2/shop/products',
    { ...ada, ...json, ...image },
    invalid,
  ],
  ['unsupported type (415), invalid (422)', 415, 'POST', '/v2/shop/products', { ...ada, ...xml }, invalid],
  [
    'unsupported type (415), invalid query (400)',
    415,
    'POST',
    '/v2/shop/products?x=1',
    { ...ada, ...xml },
    valid,
  ],
  ['invalid query (400), invalid (422)', 400, 'POST', '/v2/shop/products?x=1', { ...ada, ...json }, invalid],
  ['only invalid (422)', 422, 'POST', '/v2/shop/products', { ...ada, ...json }, invalid],
  ['no error', 201, 'POST', '/v2/shop/products', { ...ada, ...json }, valid],
];

describe('a request with two errors', () => {
  const shop = new ShopModule();
  let platform: TestPlatform;
  beforeAll(async () => {
    const local = authenticatedBy('basic', {
      authorization: { Shop: { Product: { collection: { POST: ['ada'], GET: ['ada'] } } } },
    });
    platform = await startTestPlatform({ modules: HOSTING, extra: [shop], local, files: PEOPLE });
  });
  afterAll(() => platform.stop());
  beforeEach(() => shop.products.kept.clear());

  const cases = requests.map(([both, status, ...request]) => ({ both, status, request }));

  it.each(cases)('$both: $status', async ({ status, request: [method, path, headers, body] }) => {
    const answer = await platform.request(path, { method, headers, ...(body === undefined ? {} : { body }) });
    expect(answer.status).toBe(status);
    expect(shop.products.kept.size).toBe(status === 201 ? 1 : 0);
    const type = status === 201 ? 'application/json' : 'application/problem+json';
    expect(answer.headers.get('content-type')).toBe(type);
  });

  it('is reported as too large before its syntax is known: an oversized body is not read', async () => {
    const headers = { ...ada, ...json };
    const answer = await platform.request('/shop/products', { method: 'POST', headers, body: `{${large}` });
    expect(answer.status).toBe(413);
  });
});

describe('a request whose response would not be acceptable', () => {
  it.each([
    ['POST', '/shop/products', '{"title":"A cup"}'],
    ['PUT', '/shop/products/lamp', '{"title":"A torch"}'],
    ['PATCH', '/shop/products/lamp', '{"title":"A torch"}'],
    ['DELETE', '/shop/products/lamp', undefined],
  ])('has no side effects: %s', async (method, path, body) => {
    const shop = new ShopModule();
    shop.products.create({ product_id: 'lamp', title: 'A lamp' });
    const platform = await startTestPlatform({ modules: HOSTING, extra: [shop] });
    try {
      const headers = { ...json, ...image };
      const answer = await platform.request(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      expect(answer.status).toBe(406);
      expect(answer.headers.get('vary')).toBe('Accept');
      expect(await answer.json()).toMatchObject({
        available: ['application/json', 'application/vnd.shop.v2+json'],
      });
      expect([...shop.products.kept.values()]).toEqual([{ product_id: 'lamp', title: 'A lamp' }]);
    } finally {
      await platform.stop();
    }
  });
});
