import type { Browser } from 'playwright-core';
import { audit, launchBrowser } from '../../../factories/browser/browser';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

const WIDE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="200"><rect width="3000" height="200" fill="teal"/></svg>';

const FILES = {
  'texts/1-start.md': `# Start\n\nThe plan.\n\n| Name |\n| - |\n| ${'wide'.repeat(200)} |\n\n![A wide plan](wide.svg)\n\n${[
    ...Array(30).keys(),
  ]
    .map(
      (number) =>
        `${number % 3 === 1 ? '###' : '##'} Step ${number} with ${'a-long-name'.repeat(6)}\n\nText.`,
    )
    .join('\n\n')}`,
  'texts/2-next.md': '# Next one\n\nRead on.',
  'texts/wide.svg': WIDE,
};

describe('guides in a browser', () => {
  let platform: TestPlatform;
  let browser: Browser;
  beforeAll(async () => {
    platform = await startTestPlatform({
      files: FILES,
      local: { 'platform-documentation': { guides: 'texts' } },
    });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await platform.stop();
  });

  it.each(['guides/start', 'guides/next', 'errors'])('fit and are accessible: %s', async (below) => {
    const page = await browser.newPage();
    await page.goto(`${platform.origin}/platform/${below}`, { waitUntil: 'networkidle' });
    expect(await audit(page)).toEqual([]);
    await page.close();
  });

  it('have headings that shrink with the window: most error codes fit on a line of a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
    await page.goto(`${platform.origin}/platform/errors`);
    const heights = await page
      .locator('h2#second_factor_required, h2#unsupported_media_type')
      .evaluateAll((headings) =>
        headings.map(
          (heading) =>
            heading.getBoundingClientRect().height / parseFloat(getComputedStyle(heading).lineHeight),
        ),
      );
    expect(heights.map(Math.round)).toEqual([1, 1]);
    await page.close();
  });

  it('show images, lead to headings, and to the next guide', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const errors: string[] = [];
    page.on('console', (message) => errors.push(message.text()));
    await page.goto(`${platform.origin}/platform/guides/start`, { waitUntil: 'networkidle' });
    const image = page.getByRole('img', { name: 'A wide plan' });
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(3000);
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').nth(20).click();
    expect(await page.locator(':target').innerText()).toContain('Step 20');
    await page.getByRole('link', { name: 'Next one' }).click();
    expect(await page.locator('h1').innerText()).toBe('Next one');
    await page.getByRole('link', { name: 'Previous Start' }).click();
    expect(await page.locator('h1').innerText()).toBe('Start');
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('next one');
    expect(await page.locator('.found-where').first().innerText()).toBe('guide');
    expect(errors).toEqual([]);
    await page.close();
  });
});
