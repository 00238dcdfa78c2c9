import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { LocalConfiguration } from '../../../../src/framework';
import { RequestTraces } from '../../../../src/modules/operations';
import { ConfigurationChanges } from '../../../../src/modules/admin/changes/configuration-changes';
import { startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { pageOfAda } from '../../../factories/admin/admin-browser';
import { audit, launchBrowser, type Screens } from '../../../factories/browser/browser';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

const SCREENS: Screens = [
  [390, 'light'],
  [1024, 'dark'],
  [1440, 'light', 'dark'],
];

let platform: AdminPlatform;
let browser: Browser;

beforeAll(async () => {
  platform = await startAdminPlatform();
  for (const value of ['one', 'two']) await describeAtlas(value);
  await recordRequest('audited');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

/** Records a request with a statement, whose response is a problem. */
async function recordRequest(id: string): Promise<void> {
  const traces = platform.application.sharedState.find(RequestTraces);
  traces?.start({ requests: 1, minutes: 1 });
  const headers = { 'X-Request-Id': id };
  await (await platform.request('/v1/atlas/countries/XX', { headers })).arrayBuffer();
  while (traces?.find(id) === undefined) await new Promise((resolve) => setImmediate(resolve));
}

const urlOf = (below: string): string => `${platform.origin}/platform/admin${below}`;

const DESCRIPTION = ['platform-hosting', 'apis', 'Atlas', 'description'];
const described = (): unknown => platform.application.configuration.valueAt(DESCRIPTION);

async function describeAtlas(value: string): Promise<void> {
  const changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
  const edits = [{ path: DESCRIPTION, value }];
  const change = { summary: `Described Atlas as ${value}`, subject: [], edits };
  await changes.apply(change, { name: 'bob', via: 'command' });
}

/** A page opened by ada, with the errors of its browser. */
async function open(
  below: string,
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
  const page = await pageOfAda(browser, platform, options);
  const errors: string[] = [];
  // Browsers request an icon from every site.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(urlOf(below));
  return { page, errors };
}

describe.each([
  '',
  '/access-map',
  '/listeners',
  '/traces',
  '/traces/audited',
  '/configuration',
  '/revisions',
  '/revisions/2',
])('The page %s of the admin', (below) => {
  it('has no accessibility violations or overflow', async () => {
    const { page } = await open(below);
    expect(await audit(page, SCREENS)).toEqual([]);
    await page.context().close();
  });

  it('causes no errors in the browser', async () => {
    const { page, errors } = await open(below);
    await page.waitForLoadState('networkidle');
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe.each([true, false])('An administrator (JavaScript: %s)', (javaScriptEnabled) => {
  it('undoes the newest change from the overview, undoes the undo, and restores an earlier revision', async () => {
    await describeAtlas('three');
    const { page } = await open('', { javaScriptEnabled });
    const save = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.waitForURL(urlOf('/revisions'));
    };
    await page.getByRole('button', { name: 'Undo Described Atlas as three' }).click();
    expect(await page.locator('.difference').innerText()).toContain('"two"');
    await save();
    expect(described()).toBe('two');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await save();
    expect(described()).toBe('three');
    await page.goto(urlOf('/revisions/2'));
    await page.getByRole('button', { name: 'Restore this revision' }).click();
    await save();
    expect(described()).toBe('two');
    await page.context().close();
  });

  it('searches the configuration', async () => {
    const { page } = await open('/configuration', { javaScriptEnabled });
    await page.getByRole('searchbox', { name: 'Search' }).fill('access_log enabled');
    // Updated while the user types, or by the button.
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 value found.').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(page.url()).toContain('search=access_log+enabled');
    await page.context().close();
  });
});
