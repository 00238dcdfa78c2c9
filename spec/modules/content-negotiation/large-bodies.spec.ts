import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { sendRaw } from '../../factories/http/raw-http';
import { basic, bodyOf } from '../../factories/http/requests';
import { HOSTING } from '../../factories/processes/start-refusal';
import { ShopModule } from '../../fixtures/shop/shop-module';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';

const TWENTY_MEGABYTES = 20 * 1024 * 1024;

describe('a body that is too large', () => {
  let platform: TestPlatform;
  beforeAll(
    async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()] })),
  );
  afterAll(() => platform.stop());

  const head = (fields: string, path = '/shop/products') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${fields}\r\n\r\n`;

  it('is rejected with 413 by the limit of its service', async () => {
    const body = JSON.stringify({ title: 'x'.repeat(2_000) });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await platform.request('/shop/products', { method: 'POST', body, headers });
    expect(answer.status).toBe(413);
    expect(await bodyOf(answer)).toMatchObject({
      title: 'Content Too Large',
      detail: 'The body exceeds the limit of 2000 bytes.',
    });
  });

  it('is rejected with 413 while the client is still sending 20 MB', async () => {
    const answer = await platform.request('/v1/shop/echo', {
      method: 'POST',
      body: 'x'.repeat(TWENTY_MEGABYTES),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(413);
    expect(await bodyOf(answer)).toMatchObject({ status: 413 });
  });

  it('is rejected with 413 when 20 MB arrive in chunks, without Content-Length', async () => {
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
    const chunks = Array.from({ length: TWENTY_MEGABYTES / 0x10000 }, () => chunk);
    const answer = await sendRaw(
      platform.origin,
      Buffer.concat([Buffer.from(head('Transfer-Encoding: chunked')), ...chunks, Buffer.from('0\r\n\r\n')]),
    );
    expect(answer.status).toBe(413);
  });

  it('is rejected by its Content-Length, before it is sent', async () => {
    const answer = await sendRaw(platform.origin, head(`Content-Length: ${TWENTY_MEGABYTES}`));
    expect(answer.status).toBe(413);
  });

  it('is rejected before a client that waits for "100 Continue" sends it', async () => {
    const answer = await sendRaw(
      platform.origin,
      head(`Content-Length: ${TWENTY_MEGABYTES}\r\nExpect: 100-continue`),
    );
    expect(answer.status).toBe(413);
    expect(answer.text).not.toContain('100 Continue');
  });

  it('does not block other requests', async () => {
    expect((await platform.request('/shop/products')).status).toBe(200);
  });
});

describe('Expect: 100-continue', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const local = authenticatedBy('basic', {
      authorization: { Shop: { Product: { collection: { POST: 'authenticated' } } } },
    });
    platform = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()], local, files: PEOPLE });
  });
  afterAll(() => platform.stop());

  const head = (authorization: string) =>
    `POST /shop/products HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 17\r\n${authorization}Expect: 100-continue\r\n\r\n`;

  it.each([
    ['without credentials', ''],
    ['with invalid credentials', `Authorization: ${basic('ada', 'wrong')}\r\n`],
  ])('gets 401 %s, without 100 Continue', async (_, authorization) => {
    const answer = await sendRaw(platform.origin, head(authorization));
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain('100 Continue');
  });

  it('gets 100 Continue when the request is allowed', async () => {
    const answer = await sendRaw(platform.origin, head(`Authorization: ${basic('ada', 'password')}\r\n`));
    expect(answer.status).toBe(100);
    expect(answer.text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  });

  it('does not require the client to wait', async () => {
    const authorization = `Authorization: ${basic('ada', 'password')}\r\n`;
    const answer = await sendRaw(platform.origin, `${head(authorization)}{"title":"A cup"}`);
    expect(answer.text).toContain('HTTP/1.1 201 Created');
  });

  it('gets 417 for any other expectation', async () => {
    const answer = await sendRaw(
      platform.origin,
      'GET /shop/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: the-moon\r\n\r\n',
    );
    expect(answer.status).toBe(417);
    expect(answer.body).toContain('"status":417');
  });
});
