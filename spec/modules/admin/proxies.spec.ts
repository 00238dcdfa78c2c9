import { setTimeout as pause } from 'node:timers/promises';
import { Response as PlatformResponse, type ConfigObject } from '../../../src/framework';
import { PASSWORD, startAdminPlatform, type AdminPlatform } from '../../factories/admin/admin';
import { RawConnection } from '../../factories/http/raw-connection';
import { sendRaw } from '../../factories/http/raw-http';
import { routesModule } from '../../factories/routes';

let platform: AdminPlatform | undefined;
afterEach(() => platform?.stop());

async function statusOf(
  path: string,
  headers: Readonly<Record<string, string>>,
  local: ConfigObject = {},
): Promise<number> {
  platform = await startAdminPlatform({ local });
  return (await platform.request(path, { headers: { Accept: 'application/json', ...headers } })).status;
}

describe('The admin behind a proxy on this machine', () => {
  it.each(['X-Forwarded-For', 'Forwarded', 'Via'])(
    'rejects requests forwarded with %s if no proxy is trusted',
    async (field) => {
      expect(await statusOf('/platform/admin/sign-in', { [field]: '127.0.0.1' })).toBe(403);
      expect(
        (await platform?.request('/platform/admin/api/v1/adapters', { headers: { [field]: '127.0.0.1' } }))
          ?.status,
      ).toBe(403);
    },
  );

  it('uses the client address from a trusted proxy', async () => {
    const local: ConfigObject = {
      server: { trust_proxy: ['loopback'] },
      'platform-admin': { allow: ['192.0.2.0/24'] },
    };
    expect(await statusOf('/platform/admin/sign-in', { 'X-Forwarded-For': '192.0.2.7' }, local)).toBe(200);
    for (const field of ['203.0.113.9', '192.0.2.7, 203.0.113.9']) {
      const answer = await platform?.request('/platform/admin/sign-in', {
        headers: { 'X-Forwarded-For': field },
      });
      expect(answer?.status).toBe(403);
    }
  });

  it('rejects an invalid network in server.trust_proxy at startup', async () => {
    await expect(statusOf('/', {}, { server: { trust_proxy: ['proxy.example'] } })).rejects.toThrow(
      /local\.json:\d+:\d+: server\.trust_proxy: "proxy\.example" is not a network\./,
    );
  });
});

describe('The admin behind a proxy that removes the path of server.public_url', () => {
  it('is served beyond the limit of requests in flight', async () => {
    const open: (() => void)[] = [];
    const handler = (): Promise<PlatformResponse> =>
      new Promise((resolve) => open.push(() => resolve(new PlatformResponse(200, 'done'))));
    platform = await startAdminPlatform({
      extra: [routesModule({ 'GET /slow': handler })],
      local: {
        server: {
          public_url: 'https://example.com/gw',
          trust_proxy: ['loopback'],
          max_requests_in_flight: 1,
          max_queued_requests: 0,
        },
      },
    });
    const { origin } = platform;
    const head = (target: string): string =>
      `GET ${target} HTTP/1.1\r\nHost: example.com\r\nX-Forwarded-For: 127.0.0.1\r\nConnection: close\r\n\r\n`;
    const slow = await RawConnection.open(origin);
    slow.write(head('/slow'));
    for (let tries = 0; tries < 1_000 && open.length === 0; tries++) await pause(5);
    const statusAt = async (target: string): Promise<number> => (await sendRaw(origin, head(target))).status;
    expect(await statusAt('/slow')).toBe(503);
    for (const target of [
      '/platform/admin/sign-in',
      '/gw/platform/admin/sign-in',
      'http://example.com/platform/admin/sign-in',
    ])
      expect([target, await statusAt(target)]).toEqual([target, 200]);
    expect(await statusAt('/platform/administration')).toBe(503);
    for (const finish of open) finish();
    await slow.until(/done$/);
  });
});

describe('The admin behind a trusted proxy', () => {
  const signIn = (headers: Readonly<Record<string, string>>): Promise<Response> | undefined =>
    platform?.request('/platform/admin/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ name: 'ada', password: PASSWORD }),
      headers,
    });
  const start = async (server: ConfigObject): Promise<void> => {
    platform = await startAdminPlatform({
      local: { server: { trust_proxy: ['loopback'], ...server } },
    });
  };
  const client = { 'X-Forwarded-For': '127.0.0.1' };

  it('has secure cookies if the client uses TLS, and accepts forms of the https origin only', async () => {
    await start({});
    const host = new URL(platform?.origin ?? '').host;
    const tls = { ...client, 'X-Forwarded-Proto': 'https' };
    const secure = await signIn({ ...tls, Origin: `https://${host}` });
    expect([secure?.status, secure?.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringMatching(/; Secure/),
    ]);
    const plain = await signIn({ ...client, Origin: `http://${host}` });
    expect([plain?.status, plain?.headers.get('set-cookie')]).toEqual([
      303,
      expect.not.stringMatching(/; Secure/),
    ]);
    expect((await signIn({ ...tls, Origin: `http://${host}` }))?.status).toBe(403);
  });

  it('accepts forms of the public URL and of the forwarded host, whatever Host the proxy sends', async () => {
    await start({
      public_url: 'https://api.example.com',
      forwarding_fields: ['x-forwarded-for', 'x-forwarded-host'],
    });
    expect((await signIn({ ...client, Origin: 'https://api.example.com' }))?.status).toBe(303);
    const forwarded = { ...client, 'X-Forwarded-Host': 'localhost:444' };
    expect((await signIn({ ...forwarded, Origin: 'https://localhost:444' }))?.status).toBe(303);
    expect((await signIn({ ...forwarded, Origin: 'https://localhost:445' }))?.status).toBe(403);
    expect((await signIn({ ...client, 'X-Forwarded-Host': 'evil.example' }))?.status).toBe(421);
  });

  it('does not trust the scheme and the host of clients', async () => {
    await start({ trust_proxy: ['10.0.0.0/8'] });
    const answer = await platform?.request('/platform/admin/sign-in', {
      headers: { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.example' },
    });
    expect([answer?.status, answer?.headers.get('set-cookie')]).toEqual([200, null]);
  });

  it('rejects fields that may contradict each other at startup', async () => {
    await expect(start({ forwarding_fields: ['x-forwarded-for', 'forwarded'] })).rejects.toThrow(
      /local\.json:\d+:\d+: server\.forwarding_fields: lists "forwarded" and "x-forwarded-for", which may contradict/,
    );
  });
});
