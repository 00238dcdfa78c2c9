import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ADMIN, startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { audit, EVERY_SCREEN, launchBrowser } from '../../../factories/browser/browser';
import { githubApi, withGithubDescription } from '../../../factories/documents/github-description';
import { sampleAuthentication } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe: describeWithBrowser, it } = withPrograms('chromium');
const describe = withGithubDescription(describeWithBrowser);

setTestTimeout(300);

const SERVICES = '/platform-hosting/apis/GitHub/versions/1/services';

const PAGES = [
  ['the configuration', '/configuration'],
  ['the configuration of all services', `/configuration?at=${SERVICES}`],
  ['the configuration of a service', `/configuration?at=${SERVICES}/ReposByOwnerByRepo`],
  ['values that a search finds', '/configuration?search=starred'],
  ['the adapters', '/apis/GitHub-v1'],
  ['the authorization', '/apis/GitHub-v1/authorization'],
  ['the documentation', '/apis/GitHub-v1/texts'],
  ['the documentation of a service', '/apis/GitHub-v1/texts/ReposByOwnerByRepo'],
] as const;

describe('The admin of an API with 1,222 operations', () => {
  let platform: AdminPlatform;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    platform = await startAdminPlatform({ local: { ...githubApi(), ...sampleAuthentication } });
    browser = await launchBrowser();
    context = await browser.newContext({ bypassCSP: true });
    const [name = '', value = ''] = (platform.ada.cookie ?? '').split('=');
    await context.addCookies([{ name, value, url: platform.origin }]);
    page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
  });
  afterAll(async () => {
    await browser.close();
    await platform.stop();
  });
  afterEach(() => {
    expect(errors.splice(0)).toEqual([]);
  });

  const open = (below: string): Promise<unknown> => page.goto(`${platform.origin}${ADMIN}${below}`);
  const results = (): Promise<string> => page.getByRole('status').filter({ hasText: /^\d/ }).innerText();

  it.each(PAGES)('shows %s without violations at every width in both themes', async (_, below) => {
    await open(below);
    expect(await audit(page, EVERY_SCREEN)).toEqual([]);
    expect(await page.locator('*').count()).toBeLessThan(4000);
  });

  it('finds values while the administrator types', async () => {
    await open('/configuration');
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('codespaces summary');
    await page.waitForURL(/search=codespaces/);
    expect(await results()).toMatch(/^\d{2,3} values found\.$/);
    expect(await page.locator('#values').innerText()).toContain('List codespaces');
  });

  it('filters operations by group, and reviews one change of all that it found', async () => {
    await open('/apis/GitHub-v1/authorization');
    expect(await results()).toBe('1222 operations.');
    await page.getByLabel('Group', { exact: true }).selectOption('gists');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('delete');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const found = await results();
    expect(found).toMatch(/^\d operations found\.$/);

    await page.getByText(`Change all ${found.slice(0, -1)}`).click();
    const all = 'Access of all operations found';
    await page.getByLabel(all).selectOption('These users and groups');
    await page
      .getByRole('group')
      .filter({ has: page.getByLabel(all) })
      .getByLabel('Users and groups', { exact: true })
      .fill('ada, @editors');
    await page.getByRole('button', { name: 'Review changes' }).first().click();
    const difference = page.locator('.difference').first();
    await difference.waitFor();
    expect(await difference.innerText()).toContain('DELETE');
    expect(await audit(page, EVERY_SCREEN)).toEqual([]);

    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changed the access rules of GitHub-v1: GistsByGistId.DELETE').first().waitFor();
    await page.getByLabel('Effective rule', { exact: true }).selectOption('Users and groups');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    expect(await results()).toBe(found);
  });
});
