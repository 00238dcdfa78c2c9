import { brotliCompressSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { audit, EVERY_SCREEN, launchBrowser } from '../../../factories/browser/browser';
import { githubApi, withGithubDescription } from '../../../factories/documents/github-description';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe: describeWithBrowser, it } = withPrograms('chromium');
const describe = withGithubDescription(describeWithBrowser);

setTestTimeout(300);

const PAGES = [
  ['the API with all operations', ''],
  ['a service', '/ActionsReposByOwnerByRepoActionsRunnersByRunnerIdLabels'],
  ['a service with large schemas', '/ReposByOwnerByRepo'],
] as const;

describe('the documentation of 1,222 operations', () => {
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
    if (below === '') expect(html.match(/<span class="method /g)).toHaveLength(1_222);
  });

  it.each(PAGES)('of %s is accessible and never wider than the window', async (_, below) => {
    const page = await browser.newPage();
    await page.goto(platform.origin + addressOf(below), { waitUntil: 'networkidle' });
    expect(await audit(page, EVERY_SCREEN)).toEqual([]);
    await page.close();
  });
});
