import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { addKey, newKey } from '../../../../src/modules/mvc-auth';
import {
  ADMIN,
  PASSWORD,
  startAdminPlatform,
  WITH_ADMIN,
  type AdminPlatform,
} from '../../../factories/admin/admin';
import { audit, launchBrowser, type Screens } from '../../../factories/browser/browser';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';
import { ClubModule } from '../../../fixtures/club-module';

const { describe } = withPrograms('chromium');

setTestTimeout(180);

const SCREENS: Screens = [
  [390, 'dark'],
  [1440, 'light'],
];
const FILE = 'data/api-keys.json';
const ci = newKey({
  owner: 'continuous integration of the shop',
  scopes: ['read', 'write'],
  groups: ['machines'],
});

let browser: Browser;
let platform: AdminPlatform;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  platform = await startAdminPlatform({
    modules: WITH_ADMIN,
    extra: [new ClubModule()],
    files: { [FILE]: addKey(FILE, undefined, ci.stored).toString() },
    local: {
      'platform-mvc-auth': {
        authentication: {
          adapters: { machines: { adapter: 'ApiKeyAdapter', options: { keys: FILE } } },
          map: { Club: 'machines' },
        },
      },
    },
  });
  page = await browser.newPage();
  await go('/api-keys');
  await fill({ name: 'ada', password: PASSWORD });
  await send();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

const go = (to: string): Promise<unknown> => page.goto(`${platform.origin}${ADMIN}${to}`);
const send = (): Promise<void> => page.click('main button:is(.main, .danger)');
async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`main [name="${name}"]`, value);
}

describe('The screens of API keys', () => {
  it('create and revoke a key without accessibility violations or overflow', async () => {
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      for (const one of await audit(page, SCREENS)) found.push(`${name}: ${one}`);
    };
    await go('/api-keys');
    await look('adapters');
    await page.click('main a:text("machines")');
    await look('keys');
    await fill({ owner: 'robot', expires: 'soon' });
    await send();
    expect(await page.textContent('main')).toContain('is not a time of expiry');
    expect(await page.inputValue('main [name="owner"]')).toBe('robot');
    await look('refused');
    await fill({ expires: '30d', scopes: 'read' });
    await send();
    const key = (await page.textContent('.created-key')) ?? '';
    expect(key).toMatch(/^apidesc_[0-9A-Za-z]{44}$/);
    await look('created');
    await page.reload();
    // The form was not submitted again: there is one key of this owner, and it is no longer shown.
    expect(await page.locator('.created-key').count()).toBe(0);
    expect(await page.locator('main tbody tr', { hasText: 'robot' }).count()).toBe(1);
    await page.click(`main a:text("Revoke ${key.slice(0, 16)}")`);
    await look('revoke');
    await send();
    expect(await page.textContent('h1')).toBe('Review changes');
    await send();
    expect(await page.textContent('body')).toContain(`Revoked ${key.slice(0, 16)}.`);
    expect(readFileSync(path.join(platform.root, FILE), 'utf8')).not.toContain(key.slice(0, 16));
    expect(found).toEqual([]);
  });
});

describe('The form of a new adapter', () => {
  it('offers API keys, with a field for each option', async () => {
    await go('/adapters/new?kind=ApiKeyAdapter');
    await fill({ name: 'robots', '/options/keys': FILE, '/options/header': 'X-Robot' });
    await send();
    expect(await page.textContent('h1')).toBe('Review changes');
    await send();
    const text = readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      'platform-mvc-auth': {
        authentication: {
          adapters: { robots: { adapter: 'ApiKeyAdapter', options: { keys: FILE, header: 'X-Robot' } } },
        },
      },
    });
  });

  it('offers a table of users for passwords, and reports what is missing', async () => {
    await go('/adapters/new?type=basic');
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    expect(await audit(page, SCREENS)).toEqual([]);
    await fill({ name: 'people', '/options/realm': 'People', '/options/users/db': 'main' });
    await page.fill('main [name="/options/htpasswd"]', '');
    await send();
    const text = (await page.textContent('main')) ?? '';
    expect(text).toContain('This field is required');
    expect(await page.inputValue('main [name="/options/users/db"]')).toBe('main');
  });
});
