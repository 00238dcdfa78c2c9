import { ADMIN, startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';

/** As another host of the domain sets it. */
const INJECTED = 'platform_admin=injected';
const HOUR_MS = 3_600_000;

describe('A session cookie of another host of the domain', () => {
  let platform: AdminPlatform;
  /** Milliseconds that the clock is ahead. */
  let ahead = 0;
  beforeAll(async () => {
    const now = performance.now.bind(performance);
    // Without a spy, which would record each of many calls.
    performance.now = () => now() + ahead;
    platform = await startAdminPlatform();
  });
  afterAll(async () => {
    await platform.stop();
    Reflect.deleteProperty(performance, 'now');
  });

  const answerWith = (...cookies: readonly (string | undefined)[]): Promise<Response> => {
    const init = { headers: { Cookie: cookies.join('; ') }, redirect: 'manual' } as const;
    return platform.request(`${ADMIN}/account`, init);
  };
  const statusWith = async (...cookies: readonly (string | undefined)[]): Promise<number> =>
    (await answerWith(...cookies)).status;
  /** Without the cookie of this host, the other one would count. */
  const expectRefused = async (...cookies: readonly (string | undefined)[]): Promise<void> => {
    const { status, headers } = await answerWith(...cookies);
    expect([status, headers.getSetCookie()]).toEqual([303, []]);
  };

  it('does not lock an administrator out, before or after the sign-in', async () => {
    const { cookie } = platform.ada;
    expect(await statusWith(INJECTED, cookie)).toBe(200);
    expect(await statusWith(cookie, INJECTED)).toBe(200);
    expect(await statusWith(cookie, cookie)).toBe(200);
    const { status, headers } = await answerWith(INJECTED);
    expect([status, headers.getSetCookie()]).toEqual([303, [expect.stringContaining('Max-Age=0')]]);
  });

  it('is refused if it is that of another session, in which the administrator would act, and neither is removed', async () => {
    const other = await platform.signIn('ada');
    await expectRefused(platform.ada.cookie, other.cookie);
    await expectRefused(other.cookie, platform.ada.cookie);
    await expectRefused('platform_admin=unknown', INJECTED);
    expect(await statusWith(other.cookie)).toBe(200);
  });

  it('is refused if it is that of another session after the one of the administrator has expired', async () => {
    const own = await platform.signIn('ada');
    ahead += HOUR_MS;
    const other = await platform.signIn('ada');
    await expectRefused(own.cookie, other.cookie);
    await expectRefused(other.cookie, own.cookie);
    expect(await statusWith(other.cookie)).toBe(200);
  });
});
