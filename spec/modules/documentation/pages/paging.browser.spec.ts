import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../../factories/browser/browser';
import { largeApi } from '../../../factories/documents/large-api';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

let platform: TestPlatform;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  platform = await startTestPlatform({ local: largeApi(900, 1) });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});
afterEach(() => page.close());

async function open(below: string, javaScriptEnabled = true): Promise<void> {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 }, javaScriptEnabled });
  await page.goto(`${platform.origin}/platform/documentation/Large-v1${below}`, { waitUntil: 'networkidle' });
}

describe('the sidebar of a large API', () => {
  it('lists the services of a group when it is opened', async () => {
    await open('/Service18');
    const group = page.locator('.group', { hasText: 'group 9' });
    await group.locator('summary').click();
    const link = group.locator('.services > li > a').nth(1);
    expect(await link.innerText()).toBe('Service19');
    await link.click();
    await page.waitForURL('**/Large-v1/Service19');
  });

  it('is filtered by the services of all groups', async () => {
    await open('/Service18');
    const isOpen = () => page.locator('.group[open] > summary').allInnerTexts();
    await page.getByLabel('Filter services').fill('service899');
    const found = page.locator('.services > li:visible');
    await found.getByText('Service899').waitFor();
    expect(await found.count()).toBe(1);
    expect(await page.locator('.sidebar [role=status]').textContent()).toBe('1 service');
    expect((await isOpen()).join()).toContain('group 9');
    await page.getByLabel('Filter services').fill('');
    await page.locator('.services > li:visible').nth(80).waitFor();
    expect((await isOpen()).map((text) => text.slice(0, 7))).toEqual(['group 8']);
  });

  it('leads to the page of the API without scripts', async () => {
    await open('/Service18', false);
    const group = page.locator('.group', { hasText: 'group 9' });
    await group.locator('summary').click();
    await group.getByRole('link').click();
    await page.waitForURL('**/Large-v1?page=2#tag-group~209');
    expect(await page.locator('[id="tag-group~209"] a').count()).toBe(180);
  });
});

describe('the page of a large API', () => {
  it('shows more operations on demand', async () => {
    await open('');
    expect(await page.locator('.operations').count()).toBe(8);
    await page.getByRole('link', { name: 'More operations' }).click();
    await page.locator('.operations').nth(9).waitFor();
    expect(await page.locator(':focus').innerText()).toContain('group 8');
    expect(await page.getByRole('link', { name: 'More operations' }).count()).toBe(0);
    expect(page.url()).not.toContain('page=');
  });

  it('shows them once after a double click, with the place in the list', async () => {
    await open('');
    await page.getByRole('link', { name: 'More operations' }).dblclick();
    await page.locator('.operations').nth(9).waitFor();
    expect(await page.locator('.operations').count()).toBe(10);
    expect(await page.locator('.pager').innerText()).toContain('Page 2 of 2');
  });
});
