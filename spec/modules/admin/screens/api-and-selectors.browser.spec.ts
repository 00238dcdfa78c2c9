import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ADMIN, startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { pageOfAda } from '../../../factories/admin/admin-browser';
import { sampleAuthentication } from '../../../factories/platform';
import { audit, launchBrowser } from '../../../factories/browser/browser';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

const PAGES = [
  '/apis',
  '/apis/Atlas-v1',
  '/apis/Atlas-v1/authorization',
  '/apis/Atlas-v1/texts',
  '/apis/Atlas-v2/texts/Country',
  '/selectors',
  '/selectors/Json?accept=text/html;q=0,nonsense,application/*',
  '/selectors/Documentation/models/ViewModel',
] as const;

let platform: AdminPlatform;
let browser: Browser;
beforeAll(async () => {
  platform = await startAdminPlatform({ local: sampleAuthentication });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

async function open(below: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await pageOfAda(browser, platform, options);
  await page.goto(platform.origin + ADMIN + below);
  return page;
}

it.each(PAGES)('%s has no accessibility violations or overflow', async (below) => {
  const page = await open(below);
  expect(await audit(page)).toEqual([]);
  await page.context().close();
});

it('the ways to create a service are in one line', async () => {
  const page = await open('/apis/Atlas-v1/services', { viewport: { width: 1280, height: 900 } });
  const middles = await page.locator('.ways > a').evaluateAll((links) =>
    links.map((link) => {
      const { top, bottom } = link.getBoundingClientRect();
      return (top + bottom) / 2;
    }),
  );
  expect(middles).toHaveLength(3);
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(5);
  await page.context().close();
});

describe('With JavaScript', () => {
  it('the tester updates its result while the user types', async () => {
    const page = await open('/selectors/Documentation');
    await page.fill('#accept', 'text/markdown');
    await page.waitForSelector('#choice:has-text("text/markdown, rendered by MarkdownModel.")');
    await page.fill('#accept', 'image/png');
    await page.waitForSelector('#choice:has-text("406 Not Acceptable")');
    expect(new URL(page.url()).searchParams.get('accept')).toBe('image/png');
    await page.context().close();
  });

  it('texts are previewed while the user types', async () => {
    const page = await open('/apis/Atlas-v1/texts');
    expect(await page.isVisible('text=Preview')).toBe(false);
    await page.fill('#description', 'All *lands*.');
    await page.waitForSelector('#description-preview em:has-text("lands")');
    await page.context().close();
  });

  it('a text stays in its place while its preview grows', async () => {
    const page = await open('/apis/Atlas-v1/texts', { viewport: { width: 1280, height: 900 } });
    const top = () =>
      page.locator('#description').evaluate((one) => one.getBoundingClientRect().top + scrollY);
    const before = await top();
    await page.fill('#description', '# Land\n'.repeat(12));
    await page.locator('#description-preview > *').nth(11).waitFor();
    expect(await top()).toBe(before);
    await page.context().close();
  });

  it('the buttons at the bottom do not hide what has the focus', async () => {
    const page = await open('/apis/Atlas-v1/texts/Country', { viewport: { width: 1280, height: 600 } });
    const hidden = await page.evaluate(() => {
      const bar = document.querySelector('.buttons.sticky');
      return [...document.querySelectorAll('textarea')].filter((one) => {
        one.focus();
        return one.getBoundingClientRect().bottom > (bar?.getBoundingClientRect().top ?? 0);
      }).length;
    });
    expect(hidden).toBe(0);
    await page.context().close();
  });

  it('a service can be hidden from guests', async () => {
    const page = await open('/apis/Atlas-v2/texts/Country');
    await page.getByLabel('Signed-in users').check();
    await page.click('button:has-text("Review changes")');
    await page.click('button:has-text("Save changes")');
    await page.waitForSelector('[role="status"]:has-text("Changed the documentation visibility of Atlas")');
    expect(await page.getByLabel('Signed-in users').isChecked()).toBe(true);
    expect((await platform.request('/platform/documentation/Atlas-v2/Country')).status).toBe(401);
    await page.click('button:has-text("Undo")');
    await page.context().close();
  });

  it('an option that is selected last is the one that counts', async () => {
    const page = await open('/apis/Atlas-v1');
    const entry = page.getByRole('group', { name: /^All versions/ });
    await entry.getByLabel('atlas-digest').check();
    expect(await entry.getByLabel('These adapters').isChecked()).toBe(true);
    await entry.getByLabel('Not set').check();
    await page.click('button:has-text("Review changes")');
    await page.waitForSelector('text=No changes to save.');
    await page.goto(`${platform.origin}${ADMIN}/apis/Atlas-v1/authorization`);
    const access = page.getByLabel('Access: Country collection GET');
    await access.selectOption('names');
    await page.getByLabel('Users and groups: Country collection GET').fill('guide');
    await access.selectOption('unset');
    await page.click('button:has-text("Review changes")');
    await page.waitForSelector('text=No changes to save.');
    await page.context().close();
  });

  it('the field for names is shown for rules with names', async () => {
    const page = await open('/apis/Atlas-v1/authorization');
    const names = page.getByLabel('Users and groups: Country collection GET');
    expect(await names.isVisible()).toBe(false);
    await page.getByLabel('Access: Country collection GET').selectOption('names');
    await names.fill('guide');
    await page.click('button:has-text("Review changes")');
    await page.click('button:has-text("Save changes")');
    await page.waitForSelector('[role="status"]:has-text("Changed the access rules of Atlas-v1")');
    expect((await platform.request('/v1/atlas/countries')).status).toBe(401);
    await page.click('button:has-text("Undo")');
    await page.context().close();
  });
});

describe('Without JavaScript', () => {
  it('rules, the tester and the preview work with buttons', async () => {
    const page = await open('/apis/Atlas-v2/authorization', { javaScriptEnabled: false });
    await page.getByLabel('Access: Distance GET').selectOption('names');
    await page.getByLabel('Users and groups: Distance GET').fill('guide, @editors');
    await page.click('button:has-text("Review changes")');
    await page.click('button:has-text("Save changes")');
    expect(await page.isVisible('[role="status"]:has-text("Changed the access rules of Atlas-v2")')).toBe(
      true,
    );
    await page.goto(`${platform.origin}${ADMIN}/selectors/Documentation`);
    await page.fill('#accept', 'text/markdown');
    await page.click('.tester button:has-text("Test")');
    expect(await page.textContent('#choice')).toContain('text/markdown, rendered by MarkdownModel.');
    await page.goto(`${platform.origin}${ADMIN}/apis/Atlas-v1/texts`);
    await page.fill('#description', 'All *lands*.');
    await page.click('button:has-text("Preview")');
    expect(await page.textContent('#description-preview em')).toBe('lands');
    await page.getByLabel('Signed-in users').check();
    await page.click('button:has-text("Preview")');
    expect(await page.getByLabel('Signed-in users').isChecked()).toBe(true);
    await page.click('button:has-text("Review changes")');
    await page.click('button:has-text("Save changes")');
    expect(await page.isVisible('[role="status"]:has-text("Changed the documentation visibility")')).toBe(
      true,
    );
    // Without an adapter for @documentation, a hidden API responds like an unknown name; a 401 would reveal it.
    for (const name of ['Atlas-v1', 'Unknown-v1']) {
      expect((await platform.request(`/platform/documentation/${name}`)).status).toBe(404);
    }
    await page.context().close();
  });
});
