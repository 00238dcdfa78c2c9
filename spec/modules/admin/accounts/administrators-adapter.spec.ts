import { administratorsAdapterDefaults } from '../../../../src/modules/admin/accounts/administrators-adapter';
import { PASSWORD, startAdminPlatform, startUnclaimed } from '../../../factories/admin/admin';
import { basic } from '../../../factories/http/requests';
import { setTestTimeout } from '../../../factories/test-timeout';

setTestTimeout(60);

const VISITS = '/v1/atlas/visits';
const local = {
  ...administratorsAdapterDefaults('Atlas'),
  'platform-mvc-auth': {
    ...(administratorsAdapterDefaults('Atlas')['platform-mvc-auth'] as object),
    authorization: { Atlas: { Visit: { collection: { GET: 'authenticated' } } } },
  },
};
const signedIn = (name: string, password: string): RequestInit => ({
  headers: { Authorization: basic(name, password) },
});

describe('The administrators’ adapter', () => {
  it('authenticates administrators for an API with the current content of the file', async () => {
    const platform = await startAdminPlatform({ local });
    try {
      const unauthorized = await platform.request(VISITS);
      expect([unauthorized.status, unauthorized.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="Administrators", charset="UTF-8"',
      ]);
      expect((await platform.request(VISITS, signedIn('ada', PASSWORD))).status).toBe(200);
      expect((await platform.request(VISITS, signedIn('ada', 'wrong'))).status).toBe(401);
      await platform.ada.save('/administrators', { name: 'grace', password: PASSWORD, again: PASSWORD });
      expect((await platform.request(VISITS, signedIn('grace', PASSWORD))).status).toBe(200);
      await platform.ada.save('/administrators/grace/remove', {});
      expect((await platform.request(VISITS, signedIn('grace', PASSWORD))).status).toBe(401);
    } finally {
      await platform.stop();
    }
  });

  it('rejects all credentials without the file', async () => {
    const platform = await startUnclaimed({ local });
    try {
      expect((await platform.request(VISITS, signedIn('ada', PASSWORD))).status).toBe(401);
      expect(platform.application.warnings).toEqual([]);
    } finally {
      await platform.stop();
    }
  });

  it('shares failure counts with the sign-in page', async () => {
    const platform = await startAdminPlatform({ local });
    try {
      for (let guess = 0; guess < 10; guess++)
        await platform.request(VISITS, signedIn('ada', `guess ${guess}`));
      const refused = await platform.stranger().post('/sign-in', { name: 'ada', password: PASSWORD });
      expect(refused.status).toBe(429);
    } finally {
      await platform.stop();
    }
  });
});

describe('The settings of the admin', () => {
  it.each([
    [{ allow: ['127.0.0.0/8', 'lan'] }, /local\.json.*platform-admin\.allow\[1\]: "lan" is not a network/],
    [{ allow: '127.0.0.1' }, /platform-admin\.allow/],
    [{ session: { idle: 5 } }, /platform-admin\.session\.idle/],
    [{ administratos: 'x' }, /platform-admin\.administratos/],
  ])('are rejected at startup if they are invalid: %j', async (settings, message) => {
    await expect(startUnclaimed({ local: { 'platform-admin': settings } })).rejects.toThrow(message);
  });

  it('restrict the networks that may use the admin', async () => {
    const platform = await startUnclaimed({ local: { 'platform-admin': { allow: ['192.0.2.0/24'] } } });
    try {
      for (const page of ['', '/sign-in', '/account']) {
        const answer = await platform.request(`/platform/admin${page}`, { headers: { Accept: 'text/html' } });
        expect([page, answer.status === 403 || page === '']).toEqual([page, true]);
      }
      const refused = await platform.request('/platform/admin/account', {
        method: 'POST',
        body: new URLSearchParams(),
      });
      expect(refused.status).toBe(403);
    } finally {
      await platform.stop();
    }
  });

  it('may name an unreadable file, which causes a warning and rejects all sign-ins', async () => {
    const platform = await startUnclaimed({
      local: { 'platform-admin': { administrators: 'config' } },
    });
    try {
      expect(platform.application.warnings.join()).toMatch(/config cannot be read \(EISDIR\)/);
    } finally {
      await platform.stop();
    }
  });

  it('cause a warning about other adapters that read the administrators’ file', async () => {
    const options = { accept_schemes: ['basic'], realm: 'Shop' };
    const reading = (htpasswd: string) => ({ adapter: 'HttpAdapter', options: { ...options, htpasswd } });
    const adapters = {
      same: reading('data/../data/administrators.htpasswd'),
      other: reading('data/shop.htpasswd'),
    };
    const platform = await startAdminPlatform({
      local: { 'platform-mvc-auth': { authentication: { adapters } } },
      files: { 'data/shop.htpasswd': 'ada:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n' },
    });
    try {
      const found = platform.application.warnings.filter((warning) =>
        warning.includes('platform-admin.allow'),
      );
      expect(found).toEqual([
        expect.stringMatching(
          /^The adapter "same" reads data\/administrators\.htpasswd: .* Map the adapter "administrators"/,
        ),
      ]);
    } finally {
      await platform.stop();
    }
  });
});
