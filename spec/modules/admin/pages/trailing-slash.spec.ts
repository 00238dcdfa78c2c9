import { startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';

let platform: AdminPlatform;
beforeAll(async () => (platform = await startAdminPlatform()));
afterAll(() => platform.stop());

describe('an admin address with a slash at its end', () => {
  const fetched = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(platform.origin + path, { redirect: 'manual', ...init });

  it.each([
    ['/platform/admin/', '/platform/admin'],
    ['/platform/admin/adapters/?a=%2F', '/platform/admin/adapters?a=%2F'],
    ['/platform/admin/apis/Atlas-v1/', '/platform/admin/apis/Atlas-v1'],
    ['/platform/admin/sign-in/', '/platform/admin/sign-in'],
  ])('is redirected to the one without: %s', async (path, to) => {
    const { status, headers } = await fetched(path);
    expect([status, headers.get('location')]).toEqual([308, to]);
    expect(headers.get('cache-control')).toBe((await fetched(to)).headers.get('cache-control'));
  });

  it('has no other methods, and does not exist in the admin API', async () => {
    expect((await fetched('/platform/admin/adapters/', { method: 'POST' })).status).toBe(405);
    expect((await fetched('/platform/admin/api/v1/map/')).status).toBe(404);
    expect((await fetched('/platform/admin/unknown/')).status).toBe(404);
  });
});
