import { PageRoutes } from '../../../../src/modules/admin/pages/page-routes';
import { invalid } from '../../../../src/modules/admin/changes/field-errors';
import type { Module } from '../../../../src/framework';
import { startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';

/** A page that always refuses its request. */
const refusing: Module = {
  name: 'refusing',
  requires: ['admin'],
  onBootstrap: async ({ application: { services } }) => {
    const GET = (): never => {
      throw invalid([{ pointer: '/port', message: 'Enter a number.' }]);
    };
    (await services.get(PageRoutes)).add([{ name: 'refusing', pattern: '/refusing', GET }]);
  },
};

let platform: AdminPlatform;
beforeAll(async () => (platform = await startAdminPlatform({ extra: [refusing] })));
afterAll(() => platform.stop());

describe('the page of a refused request', () => {
  it('shows the JSON Pointer of its only error', async () => {
    const answer = await platform.ada.get('/refusing', { Accept: 'text/html' });
    expect(answer.status).toBe(422);
    expect(textOf(await answer.text())).toContain('/port : Enter a number.');
  });
});

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
