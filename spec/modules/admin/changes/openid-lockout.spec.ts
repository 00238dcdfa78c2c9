import { Problem, type ConfigObject } from '../../../../src/framework';
import type { Actor } from '../../../../src/modules/admin/changes/change';
import { assertNotLockedOut } from '../../../../src/modules/admin/changes/lockout';
import { startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { ALL_MODULES } from '../../../factories/platform';

const ADA: Actor = {
  name: 'openid:ada',
  role: 'administrator',
  via: 'page',
  address: '127.0.0.1',
  openid: { groups: ['platform-admins', 'staff'] },
};

const settings = (others: ConfigObject): ConfigObject => ({
  'platform-openid': {
    issuer: 'https://login.example.com',
    client_id: 'platform',
    admin: { roles: { 'platform-admins': 'administrator', staff: 'viewer' } },
    ...others,
  },
});

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform({
    modules: [...ALL_MODULES, 'openid', 'admin'],
    local: settings({}),
  });
});
afterAll(() => platform.stop());

/** The reason why an application would lock the administrator out; undefined if it would not. */
async function reason(local: ConfigObject): Promise<string | undefined> {
  const candidate = await platform.host.build({ local: JSON.stringify(local) });
  try {
    await assertNotLockedOut(candidate, ADA);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error;
    return error.detail;
  } finally {
    await candidate.dispose();
  }
}

describe('An administrator from the OpenID provider', () => {
  it('may change what keeps the role', async () => {
    expect(await reason(settings({ label: 'Another label' }))).toBeUndefined();
    expect(await reason(settings({ admin: { roles: { staff: 'administrator' } } }))).toBeUndefined();
  });

  it.each([
    ['lower the role', { admin: { roles: { 'platform-admins': 'editor' } } }, 'the role "administrator"'],
    ['remove the role', { admin: { roles: { staff: 'viewer' } } }, 'the role "administrator"'],
    ['remove all roles', { admin: { roles: {} } }, 'the role "administrator"'],
    ['name another issuer', { issuer: 'https://other.example.com' }, 'another issuer or client'],
    ['name another client', { client_id: 'other' }, 'another issuer or client'],
  ])('may not %s', async (_, change, expected) => {
    expect(await reason(settings(change))).toContain(expected);
  });

  it('may not remove the setting', async () => {
    expect(await reason({})).toContain('platform-openid would be removed');
  });
});
