import { ADMIN, startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';

/** As another host of the domain sets it. */
const INJECTED = 'platform_admin=injected';

describe('A session cookie of another host of the domain', () => {
  let platform: AdminPlatform;
  beforeAll(async () => {
    platform = await startAdminPlatform();
  });
  afterAll(() => platform.stop());

  const statusWith = async (...cookies: readonly (string | undefined)[]): Promise<number> => {
    const init = { headers: { Cookie: cookies.join('; ') }, redirect: 'manual' } as const;
    return (await platform.request(`${ADMIN}/account`, init)).status;
  };

  it('does not lock an administrator out, before or after the sign-in', async () => {
    const { cookie } = platform.ada;
    expect(await statusWith(INJECTED, cookie)).toBe(200);
    expect(await statusWith(cookie, INJECTED)).toBe(200);
    expect(await statusWith(cookie, cookie)).toBe(200);
    expect(await statusWith(INJECTED)).toBe(303);
  });

  it('is refused if it is that of another session, in which the administrator would act', async () => {
    const other = await platform.signIn('ada');
    expect(await statusWith(platform.ada.cookie, other.cookie)).toBe(303);
    expect(await statusWith(other.cookie, platform.ada.cookie)).toBe(303);
    expect(await statusWith(other.cookie)).toBe(200);
  });
});
