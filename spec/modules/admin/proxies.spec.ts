import type { ConfigObject } from '../../../src/framework';
import { startAdminPlatform, type AdminPlatform } from '../../factories/admin';

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
