import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import {
  ADMIN,
  claimTokenOf,
  PASSWORD,
  startAdminPlatform,
  startUnclaimed,
  type AdminPlatform,
} from '../../../factories/admin/admin';
import type { TestPlatform } from '../../../factories/platform';
import { WaitingModule } from '../../../fixtures/waiting-module';
import { audit, launchBrowser, violations, type Screens } from '../../../factories/browser/browser';
import { oneTimePassword } from '../../../factories/sign-in/one-time-password';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

const SCREENS: Screens = [
  [360, 'dark'],
  [390, 'light'],
  [1440, 'light', 'dark'],
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`main [name="${name}"]`, value);
}
const send = (page: Page): Promise<void> => page.click('main form button.main');

describe('The pages of the admin', () => {
  let platform: AdminPlatform;
  const errors: string[] = [];
  beforeAll(async () => {
    platform = await startAdminPlatform({ extra: [new WaitingModule()] });
    await platform.ada.save('/administrators', { name: 'grace', password: PASSWORD, again: PASSWORD });
  });
  afterAll(() => platform.stop());

  async function enter(
    options: BrowserContextOptions,
  ): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(`${page.url()}: ${message.text()}`);
    });
    return { context, page };
  }

  it('have no accessibility violations or overflow', async () => {
    const { context, page } = await enter({});
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      for (const one of await audit(page, SCREENS)) found.push(`${name}: ${one}`);
    };
    await page.goto(`${platform.origin}${ADMIN}/account`);
    await look('sign-in');
    await fill(page, { name: 'ada', password: 'wrong' });
    await send(page);
    await look('sign-in, refused');
    await fill(page, { name: 'ada', password: PASSWORD });
    await send(page);
    expect(new URL(page.url()).pathname).toBe(`${ADMIN}/account`);
    await look('account');
    await fill(page, { old: 'wrong', password: 'x', again: 'y' });
    await send(page);
    await look('account, refused');
    for (const below of [
      '/administrators',
      '/administrators/grace/password',
      '/administrators/ada/remove',
      '/nowhere',
    ]) {
      await page.goto(`${platform.origin}${ADMIN}${below}`);
      await look(below);
    }
    await page.goto(`${platform.origin}${ADMIN}/administrators/grace/password`);
    await fill(page, { password: PASSWORD, again: PASSWORD });
    await send(page);
    expect(await page.innerText('.difference')).toMatch(/grace[^]*password •••••• \(new\)/);
    await look('difference of a password');
    await page.goto(`${platform.origin}${ADMIN}/waiting`);
    await page.evaluate(() => {
      const form = document.querySelector('main form');
      form?.setAttribute('action', '/platform/admin/waiting');
      const field = document.createElement('input');
      field.type = 'hidden';
      field.name = 'seconds';
      field.value = '33';
      form?.append(field);
    });
    await fill(page, { old: 'x', password: 'x', again: 'x' });
    await send(page);
    expect(await page.textContent('h1')).toBe('Review changes');
    await look('difference');
    expect(found).toEqual([]);
    await context.close();
  });

  it('have no theme switch without JavaScript', async () => {
    const { context, page } = await enter({ javaScriptEnabled: false });
    await page.goto(`${platform.origin}${ADMIN}/sign-in`);
    expect(await page.getByRole('button', { name: 'Dark' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(1);
    await context.close();
  });

  it('have the selected theme before their content exists', async () => {
    const { context, page } = await enter({ colorScheme: 'light' });
    await page.addInitScript(() => {
      localStorage.setItem('platform.theme', 'dark');
      new MutationObserver((_changes, observer) => {
        if (document.querySelector('body') === null) return;
        document.documentElement.title = document.documentElement.dataset.theme ?? 'none';
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${platform.origin}${ADMIN}/sign-in`, { waitUntil: 'networkidle' });
    expect(await page.evaluate(() => document.documentElement.title)).toBe('dark');
    await context.close();
  });

  it.each([390, 1440])('share the selected theme with the documentation, %d pixels wide', async (width) => {
    const options = { viewport: { width, height: 900 }, colorScheme: 'light', bypassCSP: true } as const;
    const { context, page } = await enter(options);
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.goto(`${platform.origin}${ADMIN}/account`);
    await fill(page, { name: 'ada', password: PASSWORD });
    await send(page);
    const light = await paper();
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    expect(await violations(page)).toEqual([]);
    await page.goto(`${platform.origin}/platform/documentation`);
    expect(await paper()).toBe(dark);
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    await page.goto(`${platform.origin}${ADMIN}/administrators`);
    expect(await paper()).toBe(light);
    await page.locator('[value=light][aria-pressed=true]').waitFor();
    await context.close();
  });

  it('do not violate their Content-Security-Policy', async () => {
    const { context, page } = await enter({});
    await page.goto(`${platform.origin}${ADMIN}/account`);
    await fill(page, { name: 'ada', password: PASSWORD });
    await send(page);
    for (const below of ['/account', '/administrators', '/administrators/ada/remove', '/nowhere'])
      await page.goto(`${platform.origin}${ADMIN}${below}`, { waitUntil: 'networkidle' });
    expect(errors).toEqual([]);
    await context.close();
  });

  it('can be submitted again after the user has stopped a slow response', async () => {
    const { context, page } = await enter({});
    await page.goto(`${platform.origin}${ADMIN}/sign-in`);
    await page.route(`**${ADMIN}/sign-in`, () => undefined);
    await fill(page, { name: 'ada', password: PASSWORD });
    const states = await page.evaluate(async () => {
      const form = document.querySelector<HTMLFormElement>('main form');
      const wait = () => new Promise((resolve) => setTimeout(resolve, 500));
      form?.requestSubmit();
      await wait();
      const during = form?.dataset.sent;
      stop();
      await wait();
      return [during, form?.dataset.sent];
    });
    expect(states).toEqual(['yes', undefined]);
    await context.close();
  });

  it('move the focus to errors', async () => {
    const { context, page } = await enter({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${platform.origin}${ADMIN}/sign-in`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await fill(page, { name: 'ada', password: 'wrong' });
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role="alert"]:focus');
    expect(await page.textContent(':focus')).toContain('Wrong name or password.');
    await context.close();
  });

  it('can be submitted again after Esc has stopped the browser', async () => {
    const { context, page } = await enter({});
    await page.goto(`${platform.origin}${ADMIN}/sign-in`);
    let requests = 0;
    await page.route('**/sign-in', (route) => (requests++ === 0 ? route.abort('aborted') : route.continue()));
    await fill(page, { name: 'ada', password: PASSWORD });
    await send(page);
    await page.keyboard.press('Escape');
    await send(page);
    await page.waitForURL(`${platform.origin}${ADMIN}`);
    expect(requests).toBe(2);
    await context.close();
  });

  it('show recovery codes once: reloading the page replaces none', async () => {
    const { context, page } = await enter({});
    await page.goto(`${platform.origin}${ADMIN}/account/second-factor`);
    await fill(page, { name: 'grace', password: PASSWORD });
    await send(page);
    const secret = await page.inputValue('main [name="secret"]');
    await fill(page, { code: oneTimePassword(secret, Date.now()), password: PASSWORD });
    await send(page);
    expect(await page.locator('.recovery-codes li').count()).toBe(10);
    await page.reload();
    expect(await page.textContent('main')).toContain('10 recovery codes are left');
    await page.fill('main form[action$="/recovery-codes"] [name="password"]', PASSWORD);
    await send(page);
    expect(await page.locator('.recovery-codes li').count()).toBe(10);
    const stored = (): string => readFileSync(path.join(platform.root, 'data/administrators.json'), 'utf8');
    const before = stored();
    await page.reload();
    expect([stored(), await page.textContent('h1')]).toEqual([before, 'Second factor']);
    expect(await page.locator('.recovery-codes').count()).toBe(0);
    await context.close();
  });
});

describe('The first administrator', () => {
  it.each([true, false])(
    'is created with the one-time link, with JavaScript: %j',
    async (javaScriptEnabled) => {
      const platform: TestPlatform = await startUnclaimed();
      const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
      try {
        const page = await context.newPage();
        await page.goto(`${platform.origin}${ADMIN}/claim?token=${claimTokenOf(platform) ?? ''}`);
        if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
        await fill(page, { name: 'ada', password: 'short', again: 'short' });
        await send(page);
        expect(await page.textContent('[role="alert"]')).toContain('at least 8 characters');
        await fill(page, { password: PASSWORD, again: PASSWORD });
        await send(page);
        await page.goto(`${platform.origin}${ADMIN}/administrators`);
        await fill(page, { name: 'grace', password: PASSWORD, again: PASSWORD });
        await send(page);
        expect(await page.innerText('.difference')).toContain('grace');
        await send(page);
        expect(await page.textContent('[role="status"]')).toContain('Administrator “grace” added.');
        await page.click('text=Sign out');
        expect(new URL(page.url()).pathname).toBe(`${ADMIN}/sign-in`);
        await fill(page, { name: 'grace', password: PASSWORD });
        await send(page);
        await page.goto(`${platform.origin}${ADMIN}/account`);
        expect(await page.textContent('h1')).toBe('grace');
      } finally {
        await context.close();
        await platform.stop();
      }
    },
  );
});
