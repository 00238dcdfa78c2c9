import type { Browser, Page } from 'playwright-core';
import { SAMPLE_LANGUAGES } from '../../../../src/modules/documentation/samples/languages';
import { launchBrowser, violations } from '../../../factories/browser/browser';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

const LABELS = Object.values(SAMPLE_LANGUAGES).map(({ label }) => label);

let platform: TestPlatform;
let browser: Browser;
beforeAll(async () => {
  platform = await startTestPlatform({
    local: { ...sampleAuthentication, 'platform-documentation': { samples: Object.keys(SAMPLE_LANGUAGES) } },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

async function open(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.goto(`${platform.origin}/platform/documentation/Atlas-v2/Visit`, { waitUntil: 'networkidle' });
  return page;
}

describe('samples in all languages', () => {
  it('are coloured with sufficient contrast, and fit, in both themes', async () => {
    const page = await open();
    const post = page.locator('#POST-collection .calls');
    for (const [width, theme] of [
      [390, 'light'],
      [1440, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((chosen) => (document.documentElement.dataset.theme = chosen), theme);
      for (const label of LABELS) {
        await post.locator('.languages').getByText(label, { exact: true }).click();
        const call = post.locator('.call:visible');
        expect(await call.locator('.token-string').count()).toBeGreaterThan(1);
        for (const summary of await call.locator('details:not([open]) > summary').all())
          await summary.click();
        await page.locator('h1').click();
        const colours = await call
          .locator('[class^=token-]')
          .evaluateAll((found) => found.map((token) => getComputedStyle(token).color));
        expect(new Set(colours).size).toBeGreaterThan(1);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        ).toBeLessThanOrEqual(0);
        if (['Go', 'PHP', 'Ruby'].includes(label)) expect(await violations(page)).toEqual([]);
      }
    }
    await page.close();
  });

  it('keep the colours where the address is replaced by that of the page', async () => {
    const other = `${platform.origin.replace('127.0.0.1', 'localhost')}/platform/documentation/Atlas-v2/Visit`;
    const page = await open();
    await page.goto(other, { waitUntil: 'networkidle' });
    const address = page.locator('#POST-collection .call-curl .token-string').first();
    expect(await address.textContent()).toBe(`${new URL(other).origin}/v2/atlas/visits`);
    await page.close();
  });

  it('are complete and coloured without scripts', async () => {
    const page = await open({ javaScriptEnabled: false });
    const post = page.locator('#POST-collection .calls');
    await post.getByText('Java', { exact: true }).click();
    expect(await post.locator('.call:visible .token-keyword').first().textContent()).toBe('import');
    await post.locator('.call-java summary').click();
    expect(await post.getByText('static HttpResponse<String> sendWithDigest').isVisible()).toBe(true);
    await page.close();
  });

  it('include examples of responses and schemas', async () => {
    const page = await open();
    const example = page.locator('#GET-entity .sample', { hasText: 'Response' }).last();
    expect(await example.locator('.token-name').first().textContent()).toMatch(/^"\w+"$/);
    expect(await page.locator('#GET-entity details .token-name').count()).toBeGreaterThan(1);
    await page.close();
  });
});
