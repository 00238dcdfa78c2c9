import { brotliCompressSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { launchBrowser, violations } from '../../factories/browser';
import { githubApi, withGithubDescription } from '../../factories/github-description';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { withPrograms } from '../../factories/programs';

const { describe: describeWithBrowser, it } = withPrograms('chromium');
const describe = withGithubDescription(describeWithBrowser);

jest.setTimeout(300_000);

const PAGES = [
  ['the API with all operations', ''],
  ['a service', '/ActionsReposByOwnerByRepoActionsRunnersByRunnerIdLabels'],
  ['a service with large schemas', '/ReposByOwnerByRepo'],
] as const;

const WIDTHS = [390, 1024, 1440];
const THEMES = ['light', 'dark'];

describe('the documentation of 1,219 operations', () => {
  let platform: TestPlatform;
  let browser: Browser;
  beforeAll(async () => {
    platform = await startTestPlatform({ local: githubApi() });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await platform.stop();
  });
  const addressOf = (below: string): string => `/platform/documentation/GitHub-v1${below}`;

  it.each(PAGES)('of %s is at most 300 KB compressed', async (_, below) => {
    const answer = await platform.request(addressOf(below), { headers: { accept: 'text/html' } });
    const html = await answer.text();
    expect(brotliCompressSync(html).length).toBeLessThan(300_000);
    if (below === '') expect(html.match(/<span class="method /g)).toHaveLength(1_219);
  });

  it.each(PAGES)('of %s is accessible and never wider than the window', async (_, below) => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    await page.goto(platform.origin + addressOf(below), { waitUntil: 'networkidle' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([width, overflow]).toEqual([width, Math.min(0, overflow)]);
      for (const theme of THEMES) {
        await page.evaluate((chosen) => (document.documentElement.dataset.theme = chosen), theme);
        expect([width, theme, ...(await violations(page))]).toEqual([width, theme]);
      }
    }
    await page.close();
  });
});
