import type { Browser, Page } from 'playwright-core';
import { ADMIN, startAdminPlatform, type AdminPlatform } from '../../factories/admin/admin';
import { launchBrowser, violations } from '../../factories/browser/browser';
import { OpenidTestProvider } from '../../factories/sign-in/openid-provider';
import { ALL_MODULES } from '../../factories/platform';
import { withPrograms } from '../../factories/processes/programs';
import { setTestTimeout } from '../../factories/test-timeout';
import { defineApi, defineProcedure, defineRpcService } from '../../../src/modules/hosting';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

const vault = {
  name: 'vault',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Vault',
      visibility: 'authenticated',
      versions: {
        1: {
          services: {
            Gold: defineRpcService({
              route: '/gold',
              methods: { GET: defineProcedure({ handler: () => ({}) }) },
            }),
          },
        },
      },
    }),
  ],
};

let browser: Browser;
let provider: OpenidTestProvider;
let platform: AdminPlatform;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  // On localhost, which is another site than 127.0.0.1.
  provider = await OpenidTestProvider.create();
  platform = await startAdminPlatform({
    modules: [...ALL_MODULES, 'openid', 'admin'],
    extra: [vault],
    local: provider.settings(),
  });
  await provider.start({ origins: [platform.origin] });
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
  await provider.stop();
});
beforeEach(async () => {
  const context = await browser.newContext();
  page = await context.newPage();
  problems.length = 0;
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) problems.push(message.text());
  });
});
afterEach(async () => {
  await page.context().close();
  expect(problems).toEqual([]);
});

async function signInAtProvider(name: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('In a browser, a provider on another site', () => {
  it('signs an administrator in, whose first request already has the strict cookie', async () => {
    await page.goto(`${platform.origin}${ADMIN}/adapters`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with Example login' }).click();
    const paths: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) paths.push(new URL(request.url()).pathname);
    });
    await signInAtProvider('ada');
    await page.waitForURL(`${platform.origin}${ADMIN}/adapters`);
    expect(await page.locator('.who').innerText()).toBe('openid:ada');
    // Without the page in between, the redirect would lead to the sign-in page.
    expect(paths.at(-2)).toBe('/platform/sign-in/callback');
    expect(paths.at(-1)).toBe(`${ADMIN}/adapters`);
    await page.goto(`${platform.origin}${ADMIN}/account`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign out of Example login' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${platform.origin}${ADMIN}`);
    expect(await page.locator('h1').innerText()).toBe('Sign in');
  });

  it('signs a reader in, who sees hidden documentation, the name, and signs out', async () => {
    const hidden = `${platform.origin}/platform/documentation/Vault`;
    await page.goto(`${hidden}#top`);
    expect(await page.locator('.status').innerText()).toBe('404');
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await signInAtProvider('vera');
    await page.waitForURL(`${hidden}#top`);
    expect(await page.locator('h1').innerText()).toContain('Vault');
    await page.getByRole('link', { name: 'vera' }).waitFor();
    expect(await violations(page)).toEqual([]);
    // The search requests JSON.
    await page.keyboard.press('/');
    await page.getByRole('dialog').locator('input').fill('gold');
    await page.getByRole('dialog').getByText('Gold').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'vera' }).click();
    await page.getByRole('heading', { name: 'vera' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(hidden);
    await page.route('**/sign-out', (route) => route.fulfill({ status: 503, body: '' }));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'vera' }).waitFor();
    await page.unroute('**/sign-out');
    await page.goto(hidden);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
    await page.goto(hidden);
    expect(await page.locator('.status').innerText()).toBe('404');
  });

  it('works without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    try {
      const plain = await context.newPage();
      const home = `${platform.origin}/platform/documentation`;
      await plain.goto(home);
      await plain.getByRole('link', { name: 'Sign in', exact: true }).click();
      await plain.getByLabel('Name').fill('vera');
      await plain.getByRole('button', { name: 'Sign in' }).click();
      await plain.waitForURL(home);
      await plain.getByRole('link', { name: 'Vault' }).first().waitFor();
      await plain.goto(`${platform.origin}/platform/sign-in/account`);
      await plain.getByRole('button', { name: 'Sign out' }).click();
      await plain.getByRole('heading', { name: 'Signed out' }).waitFor();
    } finally {
      await context.close();
    }
  });

  it('refuses an administrator without a role, with a readable page', async () => {
    await page.goto(`${platform.origin}/platform/sign-in?return=${ADMIN}`);
    await signInAtProvider('nobody');
    await page.getByRole('heading', { name: 'You cannot sign in here' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with a local account' }).click();
    await page.getByLabel('Password').waitFor();
  });
});
