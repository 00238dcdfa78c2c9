import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { ShopModule } from '../../../fixtures/shop/shop-module';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';

const V1 = 'application/vnd.shop.v1+json';
const V2 = 'application/vnd.shop.v2+json';

describe('the version of a request', () => {
  const shop = new ShopModule();
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [shop] })));
  afterAll(() => platform.stop());

  const echo = (path: string, headers: Record<string, string> = {}) =>
    platform.request(path, { headers: new Headers(headers) });

  it('is the one in the URL', async () => {
    expect((await echo('/v2/shop/shelves')).status).toBe(200);
    expect((await echo('/v1/shop/echo')).status).toBe(200);
  });

  it('is the one in Accept, and the response has that type', async () => {
    const answer = await echo('/shop/echo', { Accept: V1 });
    expect(answer.headers.get('content-type')).toBe(V1);
    expect(answer.headers.get('vary')).toBe('Accept');
    expect(await answer.json()).toMatchObject({ version: 1 });
  });

  it('is the one in Content-Type', async () => {
    const answer = await platform.request(
      '/shop/echo',
      sendJson({ says: 1 }, 'POST', { 'Content-Type': V1 }),
    );
    expect(answer.status).toBe(200);
  });

  it('is the highest by default', async () => {
    expect((await echo('/shop/shelves')).status).toBe(200);
    const answer = await echo('/shop/products', { Accept: V2 });
    expect(answer.headers.get('content-type')).toBe(V2);
  });

  it('is the default version when configuration sets one', async () => {
    const local = { 'platform-hosting': { apis: { Shop: { default_version: 1 } } } };
    const other = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()], local });
    try {
      expect(await bodyOf(await other.request('/shop/echo'))).toMatchObject({ version: 1 });
      const answer = await other.request('/shop/shelves');
      expect(answer.status).toBe(404);
      expect(await bodyOf(answer)).toMatchObject({ versions: [2] });
    } finally {
      await other.stop();
    }
  });

  it.each([
    ['v1 in the URL, v2 in Accept', '/v1/shop/products', { Accept: V2 }],
    ['v1 in Accept, v2 in Accept', '/shop/products', { Accept: `${V1}, ${V2}` }],
    ['v1 in the URL, v2 in Content-Type', '/v1/shop/products', { 'Content-Type': V2 }],
    ['v1 in Accept, v2 in Content-Type', '/shop/products', { Accept: V1, 'Content-Type': V2 }],
  ])('is rejected with 400 when sources disagree: %s', async (sources, path, headers) => {
    const answer = await platform.request(path, sendJson({ title: 'A cup' }, 'POST', { ...headers }));
    expect(answer.status).toBe(400);
    expect((await bodyOf(answer)).detail).toBe(
      `The request names conflicting API versions: ${sources}. Send one version, or the same version everywhere.`,
    );
    expect(shop.products.kept.size).toBe(0);
  });

  it.each([
    ['/v3/shop/products', {}, 'version 3'],
    ['/v0/shop/products', {}, 'version 0'],
    ['/v99999999999999999999/shop/products', {}, 'such version'],
    ['/shop/products', { Accept: 'application/vnd.shop.v3+json' }, 'version 3'],
  ])('is a 404 that lists the available versions when unknown: %s %j', async (path, headers, name) => {
    const answer = await echo(path, { ...headers });
    expect(answer.status).toBe(404);
    const body = await bodyOf(answer);
    expect(body).toMatchObject({ status: 404, versions: [1, 2] });
    expect(body.detail).toBe(`API Shop has no ${name} here. Available: 1, 2.`);
  });

  it('is a 404 when the service is not in it', async () => {
    expect(await bodyOf(await echo('/v1/shop/shelves'))).toMatchObject({ status: 404, versions: [2] });
  });

  it.each([
    '/vx/shop/products',
    '/v/shop/products',
    '/v1x/shop/products',
    '/v-1/shop/products',
    '/V1/shop/products',
  ])('is undefined in %s, which matches no route', async (path) => {
    const answer = await echo(path);
    expect(answer.status).toBe(404);
    expect(await bodyOf(answer)).not.toHaveProperty('versions');
  });

  it('is undefined in a path that contains a "v"', async () => {
    const local = { 'platform-hosting': { apis: { Shop: { default_version: 1 } } } };
    const other = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()], local });
    try {
      expect(await bodyOf(await other.request('/my-video'))).toEqual({ video: true });
      expect((await other.request('/v2/my-video')).status).toBe(404);
    } finally {
      await other.stop();
    }
  });
});

describe('an adapter of one version', () => {
  it('is not bypassed by naming another version as well', async () => {
    const local = authenticatedBy('basic', {
      authorization: { 'Shop-v2': { Product: { collection: { GET: 'authenticated' } } } },
    });
    const platform = await startTestPlatform({
      modules: HOSTING,
      extra: [new ShopModule()],
      local,
      files: PEOPLE,
    });
    try {
      expect((await platform.request('/v1/shop/products')).status).toBe(200);
      expect((await platform.request('/v2/shop/products')).status).toBe(401);
      const both = await platform.request('/v2/shop/products', { headers: { Accept: V1 } });
      expect(both.status).toBe(400);
    } finally {
      await platform.stop();
    }
  });
});
