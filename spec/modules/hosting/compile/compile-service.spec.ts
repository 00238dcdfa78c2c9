import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { ShopModule } from '../../../fixtures/shop/shop-module';

describe('an RPC service', () => {
  let platform: TestPlatform;
  beforeAll(
    async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()] })),
  );
  afterAll(() => platform.stop());

  it('returns what its handler returns, and passes the identity and the input to the handler', async () => {
    const answer = await platform.request('/v1/shop/echo/caf%C3%A9?count=2');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({
      query: { count: 2 },
      parameters: { version: '1', word: 'café' },
      api: 'Shop',
      version: 1,
      identity: expect.objectContaining({ name: null, isGuest: true }) as unknown,
    });
  });

  it('passes the validated body to the handler', async () => {
    const answer = await platform.request('/v1/shop/echo', sendJson({ says: ['é', null, 1.5] }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ says: ['é', null, 1.5] });
    expect((await platform.request('/v1/shop/echo', sendJson({}))).status).toBe(422);
  });

  it('returns null when its handler returns nothing', async () => {
    const answer = await platform.request('/v1/shop/trouble?kind=nothing');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toBeNull();
  });
});

describe('the methods of a path', () => {
  let platform: TestPlatform;
  beforeAll(
    async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()] })),
  );
  afterAll(() => platform.stop());

  const addresses = [
    ['a collection', '/v1/shop/products', 'GET, POST, HEAD, OPTIONS'],
    ['an entity', '/v1/shop/products/a', 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
    ['a procedure', '/v1/shop/echo', 'GET, POST, HEAD, OPTIONS'],
    ['a collection to read', '/v2/shop/shelves', 'GET, HEAD, OPTIONS'],
  ] as const;

  it.each(addresses)('of %s are listed in the response to OPTIONS', async (_, path, allow) => {
    const answer = await platform.request(path, { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe(allow);
    // RFC 5789, 3.1.
    expect(answer.headers.has('accept-patch')).toBe(allow.includes('PATCH'));
    expect(await answer.text()).toBe('');
  });

  it.each(addresses)('of %s are listed in Allow when another one is used', async (_, path, allow) => {
    const answer = await platform.request(path, { method: 'PROPFIND' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(await bodyOf(answer)).toEqual({
      type: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6',
      title: 'Method Not Allowed',
      status: 405,
      detail: `PROPFIND is not allowed here. Allowed: ${allow}.`,
      request_id: expect.any(String) as unknown,
    });
  });

  it('respond to HEAD without a body even when they fail', async () => {
    const answer = await platform.request('/v1/shop/products/none', { method: 'HEAD' });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe('');
  });
});
