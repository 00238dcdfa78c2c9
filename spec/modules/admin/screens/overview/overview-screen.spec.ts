import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationUnavailable, LOCAL_FILE, LocalConfiguration } from '../../../../../src/framework';
import { ResponseChecks } from '../../../../../src/modules/hosting';
import { startAdminPlatform, type AdminPlatform } from '../../../../factories/admin/admin';
import { configure } from '../../../../factories/configure';
import { sampleAuthentication } from '../../../../factories/platform';
import { textOf } from '../../../../factories/admin/admin-pages';

let platform: AdminPlatform;
afterEach(() => platform.stop());

const page = async (): Promise<string> => await (await platform.ada.get('')).text();

describe('The overview of a new installation', () => {
  beforeEach(async () => {
    platform = await startAdminPlatform();
  });

  it('lists the first steps with links', async () => {
    const html = await page();
    expect(textOf(html)).toMatch(
      /First steps .*Create a password file.*Add an authentication adapter.*Choose an adapter for/,
    );
    for (const place of ['/password-files', '/adapters/new', '/apis']) {
      expect(html).toContain(`href="/platform/admin${place}"`);
      expect((await platform.ada.get(place)).status).toBe(200);
    }
  });

  it('shows the APIs with versions, services and adapters, and valid links', async () => {
    const html = await page();
    expect(textOf(html)).toMatch(/Atlas v1 Country, Visit, Distance RPC none Documentation/);
    expect(textOf(html)).toMatch(/Atlas v2 default/);
    expect(textOf(html)).toMatch(/Admin v1 .* administrators/);
    const links = [...html.slice(html.indexOf('<main')).matchAll(/href="([^"#]+)"/g)].map(
      ([, href = '']) => href,
    );
    for (const href of new Set(links)) {
      const headers = { Cookie: platform.ada.cookie ?? '' };
      const { status } = await fetch(platform.origin + href, { headers, redirect: 'follow' });
      // The documentation of the admin API requires its own sign-in.
      expect([href, status]).toEqual([href, href.includes('/documentation/Admin') ? 401 : 200]);
    }
  });

  it('suggests a first request with the scheme of its own', async () => {
    expect(await page()).toContain('curl -i http://127.0.0.1');
    await platform.stop();
    platform = await startAdminPlatform({ local: { server: { trust_proxy: ['loopback'] } } });
    const html = await (await platform.ada.get('', { 'X-Forwarded-Proto': 'https' })).text();
    expect(html).toContain('curl -i https://127.0.0.1');
  });

  it('counts the gaps in the access to APIs, with a link to the access map, which has the startup warnings', async () => {
    const html = await page();
    expect(textOf(html)).toContain('2 gaps in the access to APIs. Show the access map');
    expect(html).toContain('href="/platform/admin/access-map"');
    const warning = 'Visit of Atlas-v1 requires a user, but no adapter is mapped to it';
    expect(textOf(html)).not.toContain(warning);
    expect(textOf(await (await platform.ada.get('/access-map')).text())).toContain(warning);
  });

  it('shows the startup warnings that the access map does not show as gaps', async () => {
    platform.application.warnings.push('The selector "X" is ambiguous.');
    expect(textOf(await page())).toContain('Content negotiation: 1 warning The selector "X" is ambiguous.');
  });
});

describe('The overview', () => {
  beforeEach(async () => {
    platform = await startAdminPlatform({ local: sampleAuthentication });
  });

  it('shows the rest without the store of the configuration', async () => {
    const unavailable = new ConfigurationUnavailable('Redis cannot be used.');
    const history = jest.spyOn(LocalConfiguration.prototype, 'history').mockRejectedValue(unavailable);
    const shown = await platform.ada.get('');
    history.mockRestore();
    expect([shown.status, textOf(await shown.text())]).toEqual([200, expect.stringContaining('Atlas v1')]);
  });

  it('shows the rest if the revisions cannot be read, and why', async () => {
    writeFileSync(path.join(platform.root, 'data/revisions'), '');
    const reason = /data.revisions cannot be read: a file has the name of one of its folders/;
    const shown = await platform.ada.get('');
    const text = textOf(await shown.text());
    expect([shown.status, text]).toEqual([200, expect.stringMatching(reason)]);
    expect(text).toContain('Atlas v1');
    const nodes = await platform.ada.get('/nodes');
    expect([nodes.status, await nodes.text()]).toEqual([507, expect.stringMatching(reason)]);
  });

  it('shows the adapter of each version, and no first steps once they are done', async () => {
    const text = textOf(await page());
    expect(text).toMatch(/Atlas v1 .* atlas-basic/);
    expect(text).toMatch(/Atlas v2 .* atlas-digest/);
    expect(text).not.toContain('First steps');
  });

  it('shows manual edits and reloads them', async () => {
    const file = path.join(platform.root, LOCAL_FILE);
    const local = JSON.parse(readFileSync(file, 'utf8')) as Record<string, never>;
    configure(platform.root, { ...local, view_manager: { display_exceptions: true } });
    expect(textOf(await page())).toMatch(
      /configuration files have changed .*view_manager\.display_exceptions.*false.*true/,
    );
    const answer = await platform.ada.post('/reload', {});
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/platform/admin']);
    expect(platform.application.configuration.valueAt(['view_manager', 'display_exceptions'])).toBe(true);
    const text = textOf(await page());
    expect(text).toContain('Configuration reloaded.');
    expect(text).not.toContain('configuration files have changed');
  });

  it('reports invalid files, and the service continues', async () => {
    configure(platform.root, { view_manager: { display_exceptions: 'perhaps' } });
    expect(textOf(await page())).toMatch(/configuration files are invalid .*display_exceptions/);
    const answer = await platform.ada.post('/reload', {});
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(textOf(html)).toMatch(/The configuration is invalid: .*display_exceptions/);
    // The page has the address of the reload.
    expect(html).toContain('href="/platform/admin?range=60"');
    expect((await platform.request('/v1/atlas/countries/DE')).status).toBe(200);
  });

  it('lists operations whose responses do not match their schema, most frequent first', async () => {
    expect(textOf(await page())).not.toContain('do not match the documentation');
    const checks = await platform.application.services.get(ResponseChecks);
    checks.recordDifference('<b>Shop</b>-v1/Order GET', 'responds 299');
    for (let count = 0; count < 1_234; count++)
      checks.recordDifference('Atlas-v1/Country GET', 'responds 299');
    expect(textOf(await page())).toMatch(
      /Responses that do not match the documentation .*Atlas-v1\/Country GET 1,234 .*<b>Shop<\/b>-v1\/Order GET 1/,
    );
    expect(await page()).not.toContain('<b>Shop');
  });

  it('lists changes that require a restart', async () => {
    const file = path.join(platform.root, LOCAL_FILE);
    const local = JSON.parse(readFileSync(file, 'utf8')) as Record<string, never>;
    writeFileSync(file, JSON.stringify({ ...local, server: { host: '127.0.0.2' } }));
    await platform.ada.post('/reload', {});
    expect(textOf(await page())).toContain('Requires a restart: server.host.');
  });

  it('reloads only for administrators and not from other sites', async () => {
    const foreign = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
    const before = platform.application;
    expect((await platform.ada.post('/reload', {}, foreign)).status).toBe(403);
    expect((await platform.stranger().post('/reload', {})).headers.get('location')).toMatch(/\/sign-in/);
    expect((await platform.ada.get('/reload')).status).toBe(405);
    expect(platform.application).toBe(before);
  });
});
