import type { ConfigObject } from '../../../src/framework';
import {
  ALL_MODULES,
  startTestPlatform,
  type TestPlatform,
  type TestProject,
} from '../../factories/platform';
import { startRefusal } from '../../factories/processes/start-refusal';

const valid = { issuer: 'https://login.example.com', client_id: 'platform', documentation: true };

const projectOf = (settings: ConfigObject): TestProject => ({
  modules: [...ALL_MODULES, 'openid'],
  local: { 'platform-openid': settings },
});
const start = (settings: ConfigObject): Promise<TestPlatform> => startTestPlatform(projectOf(settings));

describe('platform-openid', () => {
  it.each<[string, ConfigObject, RegExp]>([
    [
      'an issuer without TLS',
      { issuer: 'http://login.example.com' },
      /local\.json:\d+:\d+: platform-openid\.issuer: http:\/\/login\.example\.com is not encrypted.*Use https\.$/,
    ],
    [
      'an issuer that is not a URL',
      { issuer: 'login.example.com' },
      /local\.json:\d+:\d+: platform-openid\.issuer: "login\.example\.com" is not a URL/,
    ],
    [
      'an issuer with a password',
      { issuer: 'https://a:b@login.example.com' },
      /remove the user and password/,
    ],
    [
      'an issuer with a query',
      { issuer: 'https://login.example.com?x=1' },
      /remove the query and the fragment/,
    ],
    [
      'the URL of the metadata',
      { issuer: 'https://login.example.com/.well-known/openid-configuration' },
      /write the issuer without/,
    ],
    ['scopes without openid', { scopes: ['profile'] }, /local\.json:\d+:\d+: platform-openid\.scopes/],
    [
      'an unknown role',
      { admin: { roles: { staff: 'root' } } },
      /platform-openid\.admin\.roles\.staff.*"viewer", "editor" or "administrator"/,
    ],
    ['a misspelt key', { client_secrets: 'x' }, /client_secrets/],
    ['a timeout that is too short', { session: { idle: 1 } }, /platform-openid\.session\.idle/],
  ])('refuses %s, with its source', async (_, settings, message) => {
    expect(await startRefusal(projectOf({ ...valid, ...settings }))).toMatch(message);
  });

  it('requires a client', async () => {
    expect(await startRefusal(projectOf({ issuer: valid.issuer }))).toMatch(/platform-openid\.client_id/);
  });

  it('warns if nobody can sign in', async () => {
    const platform = await start({ ...valid, documentation: false });
    expect(platform.application.warnings.join()).toContain('platform-openid has no effect');
    await platform.stop();
  });

  it('does nothing when it is missing', async () => {
    const platform = await startTestPlatform({ modules: [...ALL_MODULES, 'openid'] });
    expect((await platform.request('/platform/sign-in')).status).toBe(404);
    const html = await (
      await platform.request('/platform/documentation', { headers: { Accept: 'text/html' } })
    ).text();
    expect(html).not.toContain('sign-in');
    expect((await platform.request('/platform/documentation')).headers.get('vary') ?? '').not.toContain(
      'Cookie',
    );
    await platform.stop();
  });

  it('keeps the secret out of what is shown', async () => {
    const platform = await start({ ...valid, client_secret: 'hidden' });
    const { configuration } = platform.application;
    expect(configuration.isSecret(['platform-openid', 'client_secret'])).toBe(true);
    await platform.stop();
  });

  it.each(['https://api.example.com', 'https://API.example.com:443'])(
    'moves sign-ins to the public origin %s, once, and registers its redirect URI',
    async (url) => {
      const platform = await startTestPlatform({
        modules: [...ALL_MODULES, 'openid'],
        local: {
          server: { public_url: url },
          'platform-openid': { ...valid, issuer: 'http://127.0.0.1:1' },
        },
      });
      const moved = await platform.request('/platform/sign-in?return=/platform/search');
      const location = moved.headers.get('location') ?? '';
      expect(location).toBe('https://api.example.com/platform/sign-in?return=%2Fplatform%2Fsearch&moved');
      expect(platform.application.notices.map(({ target }) => target)).toContain(
        'https://api.example.com/platform/sign-in/callback',
      );
      const { pathname, search } = new URL(location);
      expect((await platform.request(pathname + search)).status).toBe(503);
      await platform.stop();
    },
  );
});
