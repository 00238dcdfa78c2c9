import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startAdminPlatform, type AdminPlatform } from '../../../../factories/admin/admin';
import { pageOfAda } from '../../../../factories/admin/admin-browser';
import { audit, EVERY_SCREEN, launchBrowser } from '../../../../factories/browser/browser';
import { withPrograms } from '../../../../factories/processes/programs';
import { setTestTimeout } from '../../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

let platform: AdminPlatform;
let browser: Browser;

beforeAll(async () => {
  platform = await startAdminPlatform();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await pageOfAda(browser, platform, { viewport: { width: 1440, height: 900 }, ...options });
  await page.goto(`${platform.origin}/platform/admin/listeners`);
  return page;
}

describe.each([true, false])('The request lifecycle (JavaScript: %s)', (javaScriptEnabled) => {
  it('leads from a listener in the picture to its row, which is opened', async () => {
    const page = await open({ javaScriptEnabled });
    const row = page.getByRole('row', { name: /AuthListeners\.authorize mvc-auth/ });
    expect(await row.isVisible()).toBe(false);
    await page.getByRole('link', { name: /^AuthListeners\.authorize: / }).click();
    await row.waitFor();
    await page.context().close();
  });

  it('measures a request, and shows the durations in the picture and in the tables', async () => {
    const page = await open({ javaScriptEnabled });
    expect(await page.getByLabel('Path').inputValue()).toBe('/v1/atlas/countries');
    await page.getByRole('button', { name: 'Measure one request' }).click();
    await page.getByText(/GET \/v1\/atlas\/countries responded 200 in/).waitFor();
    const link = page.getByRole('link', { name: /^FrameworkListeners\.dispatch: .* ms$/ });
    expect(await link.count()).toBe(1);
    await link.click();
    await page.getByRole('row', { name: /FrameworkListeners\.dispatch framework .* ms$/ }).waitFor();
    await page.context().close();
  });
});

describe('The page of the request lifecycle', () => {
  it('is shorter than three screens', async () => {
    const page = await open();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2_700);
    await page.context().close();
  });

  it('has no accessibility violations with open tables', async () => {
    const page = await open();
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details.fold, main details')) one.setAttribute('open', '');
    });
    expect(await audit(page, EVERY_SCREEN)).toEqual([]);
    await page.context().close();
  });
});
