import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import {
  ADMIN,
  PASSWORD,
  startAdminPlatform,
  WITH_ADMIN,
  type AdminPlatform,
} from '../../../factories/admin/admin';
import { answerTo, challengeOf } from '../../../factories/sign-in/digest-client';
import { BearerModule } from '../../../fixtures/bearer-module';
import { authenticatedBy, PEOPLE } from '../../../fixtures/people';
import { audit, launchBrowser, type Screens } from '../../../factories/browser/browser';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(180);

const SCREENS: Screens = [
  [390, 'dark'],
  [1440, 'light', 'dark'],
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

let platform: AdminPlatform;
beforeEach(async () => {
  platform = await startAdminPlatform({
    modules: WITH_ADMIN,
    local: authenticatedBy('people'),
    extra: [new BearerModule()],
    files: { ...PEOPLE, 'config/sample.htpasswd': `${PEOPLE['config/people.htpasswd']}eve:abcdefghijklm\n` },
  });
});
afterEach(() => platform.stop());

/** A browser with ada signed in. */
async function enter(options: BrowserContextOptions = {}): Promise<{
  readonly context: BrowserContext;
  readonly page: Page;
  readonly go: (to: string) => Promise<unknown>;
}> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const go = (to: string): Promise<unknown> => page.goto(`${platform.origin}${ADMIN}${to}`);
  await go('/adapters');
  await fill(page, { name: 'ada', password: PASSWORD });
  await send(page);
  return { context, page, go };
}

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`main [name="${name}"]`, value);
}
const send = (page: Page): Promise<void> => page.click('main button.main');

describe('The screens of adapters and password files', () => {
  it('have no accessibility violations or overflow', async () => {
    const { context, page, go } = await enter();
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      for (const one of await audit(page, SCREENS)) found.push(`${name}: ${one}`);
    };
    for (const below of [
      '/adapters',
      '/adapters/people/edit',
      '/adapters/people/remove',
      '/adapters/new?kind=BearerAdapter',
      '/password-files',
      '/password-files/users?file=config/people.htpasswd',
      '/password-files/users?file=config/sample.htpasswd',
      '/password-files/password?file=config/people.htpasswd&user=ada',
      '/password-files/remove?file=config/people.htpasswd&user=ada',
    ]) {
      await go(below);
      await look(below);
    }
    await go('/adapters/new?type=digest');
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    await look('new');
    await send(page);
    await look('new, refused');
    await go('/adapters/people/sign-in');
    await fill(page, { user: 'ada', password: 'wrong' });
    await send(page);
    await look('sign-in, refused');
    await go('/password-files');
    await fill(page, { file: '../out' });
    await send(page);
    await look('password files, refused');
    expect(found).toEqual([]);
    await context.close();
  });

  it.each([true, false])(
    'lead from an empty installation to a Digest sign-in, with JavaScript: %j',
    async (javaScriptEnabled) => {
      const { context, page, go } = await enter({ javaScriptEnabled });
      await go('/password-files');
      await fill(page, { file: 'data/atlas.htdigest' });
      await send(page);
      expect(await page.textContent('h1')).toBe('Review changes');
      await send(page);
      await fill(page, { realm: 'Atlas', user: 'guest', password: 'open it', again: 'open it' });
      await send(page);
      expect(await page.textContent('h1')).toBe('Review changes');
      await send(page);
      expect(await page.textContent('[role="status"]')).toContain(
        'Added. Connect an adapter to enable sign-in.',
      );
      await go('/adapters');
      await page.click('main a:text-is("Digest")');
      await fill(page, {
        name: 'atlas-digest',
        '/options/realm': 'Atlas',
        '/options/htdigest': 'data/atlas.htdigest',
      });
      await send(page);
      expect(await page.textContent('h1')).toBe('Review changes');
      await send(page);
      expect(await page.textContent('[role="status"]')).toContain('Added the adapter "atlas-digest".');
      await page.click('tr:has-text("atlas-digest") a:has-text("Test sign-in")');
      await fill(page, { user: 'guest', password: 'open it' });
      await send(page);
      expect(await page.textContent('main')).toContain('Signed in as guest');
      await context.close();

      const file = path.join(platform.root, 'config/autoload/local.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"*": "people"', '"*": "atlas-digest"'));
      await platform.host.reload();
      const unauthorized = await platform.request('/atlas/countries', {
        headers: { Authorization: 'Basic eDp4' },
      });
      const statusWith = async (password: string): Promise<number> => {
        const answer = { username: 'guest', password, uri: '/atlas/countries' };
        const headers = { Authorization: answerTo(challengeOf(unauthorized), answer) };
        return (await platform.request('/atlas/countries', { headers })).status;
      };
      expect(challengeOf(unauthorized)).toContain('Digest realm="Atlas"');
      expect([await statusWith('wrong'), await statusWith('open it')]).toEqual([401, 200]);
    },
  );

  it('check input while the user types, and show no errors of untouched fields', async () => {
    const { context, page, go } = await enter();
    await go('/adapters/new?type=digest');
    await page.locator('[name="/options/realm"]').pressSequentially('Atlas');
    await page.waitForTimeout(1500);
    expect(await page.textContent('#findings')).not.toContain('required');
    await page.locator('[name="/options/htdigest"]').pressSequentially('data/none.htdigest');
    await page.waitForSelector('#findings :text("The file data/none.htdigest does not exist.")');
    expect(await page.getAttribute('[name="/options/htdigest"]', 'aria-invalid')).toBe('true');
    const link = await page.getAttribute('#findings a', 'href');
    expect(link).toBe(`${ADMIN}/password-files?file=data%2Fnone.htdigest&kind=htdigest&realm=Atlas`);
    await page.check('input[value=\'"basic"\']');
    expect(
      await page.evaluate(() => document.querySelector('details[data-group="Basic"]')?.hasAttribute('open')),
    ).toBe(true);
    expect(readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8')).not.toContain(
      'none.htdigest',
    );
    await context.close();
  });

  it('list errors only as long as the fields have them', async () => {
    const { context, page, go } = await enter();
    await go('/adapters/new?type=digest');
    await send(page);
    expect(await page.innerText('[role=alert]')).toMatch(/Fix this problem\s+Enter a name\./);
    for (const [name, error] of [
      ['people', 'Adapter "people" already exists. Choose another name.'],
      ['.', 'This name is reserved. Choose another name.'],
      ['', 'Enter a name.'],
    ] as const) {
      await page.locator('[name=name]').fill(name);
      await page.locator(`#name-error:text-is('${error}')`).waitFor();
      expect(await page.locator('[role=alert] li').allInnerTexts()).toEqual([error]);
    }
    await page.locator('[name=name]').pressSequentially('new');
    await page.locator('[role=alert]').waitFor({ state: 'detached' });
    expect(await page.getAttribute('[name=name]', 'aria-invalid')).toBeNull();
    await context.close();
  });

  it('let two administrators edit one adapter without overwriting each other', async () => {
    const [one, two] = [await enter(), await enter()];
    for (const { go } of [one, two]) await go('/adapters/people/edit');
    await fill(one.page, { '/options/realm': 'First' });
    await send(one.page);
    await send(one.page);
    await fill(two.page, { '/options/realm': 'Second' });
    await send(two.page);
    const text = (await two.page.textContent('main')) ?? '';
    expect(text).toContain('First');
    expect(text).toContain('Second');
    expect(readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8')).toContain('"First"');
    await one.context.close();
    await two.context.close();
  });
});
