import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { audit, launchBrowser } from '../../../factories/browser/browser';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { ClubModule } from '../../../fixtures/club-module';
import { HostileModule } from '../../../fixtures/hostile-module';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

const PAGES = [
  ['the list of APIs', ''],
  ['an API', '/Atlas'],
  ['a REST service', '/Atlas-v1/Visit'],
  ['a service with nested fields', '/Atlas-v2/Country'],
  ['a procedure', '/Atlas/Distance'],
  ['the difference of two versions', '/Atlas-v2?compare=1'],
  ['the difference of two versions of a service', '/Atlas-v2/Visit?compare=1'],
  ['the changelog of an API', '/Atlas?changelog'],
  ['an API without a licence', '/Club-v1'],
  ['an API whose texts are hostile', '/Hostile'],
  ['a service whose texts are hostile', '/Hostile/Plain'],
  ['a missing page', '/Atlsa'],
] as const;

let platform: TestPlatform;
let browser: Browser;

beforeAll(async () => {
  platform = await startTestPlatform({
    extra: [new ClubModule(), new HostileModule()],
    local: sampleAuthentication,
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

const urlOf = (below: string): string => `${platform.origin}/platform/documentation${below}`;

/** What a page did that it must not do, as reported by the browser. */
interface Watched {
  readonly page: Page;
  /** Requests to other origins. */
  readonly outside: readonly string[];
  /** Console errors, including policy violations. */
  readonly errors: readonly string[];
}

async function open(
  below: string,
  options: BrowserContextOptions = {},
  { origin } = platform,
): Promise<Watched> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const outside: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) outside.push(request.url());
  });
  page.on('console', (message) => {
    // Chromium itself reports a 404 page.
    if (message.type() === 'error' && !message.text().includes('status of 404')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('dialog', (dialog) => errors.push(`A dialog said ${dialog.message()}.`));
  await page.goto(`${origin}/platform/documentation${below}`);
  return { page, outside, errors };
}

it('descriptions have the direction of their text', async () => {
  const { page } = await open('/Atlas-v2/Country');
  const right = await page
    .locator('.prose p')
    .first()
    .evaluate((paragraph) => {
      paragraph.textContent = 'وصف API.';
      const first = new Range();
      first.setStart(paragraph.firstChild ?? paragraph, 0);
      first.setEnd(paragraph.firstChild ?? paragraph, 1);
      return paragraph.getBoundingClientRect().right - first.getBoundingClientRect().right;
    });
  expect(Math.round(right)).toBe(0);
  await page.context().close();
});

it('lists of operations fit with summaries without spaces', async () => {
  const { page } = await open('/Atlas-v2', { viewport: { width: 320, height: 800 } });
  await page
    .locator('.index a')
    .first()
    .evaluate((link) => {
      const summary = document.createElement('span');
      summary.className = 'summary';
      summary.textContent = 'getTransactionsOfCustomer'.repeat(10);
      link.append(summary);
    });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.context().close();
});

it('error pages fit with names without spaces', async () => {
  const { page } = await open('/Atlas-v2/Nothing', { viewport: { width: 320, height: 800 } });
  await page
    .locator('.plain-list a')
    .first()
    .evaluate((link) => (link.textContent = 'getTransactionsOfCustomer'.repeat(10)));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.context().close();
});

describe.each(PAGES)('%s', (_name, below) => {
  it('requests nothing from other origins, violates no policy, is styled, fits, and is accessible', async () => {
    const { page, outside, errors } = await open(below);
    await page.waitForLoadState('networkidle');
    expect(outside).toEqual([]);
    expect(errors).toEqual([]);
    expect(await page.locator('h1').count()).toBe(1);
    const sheets = await page.evaluate(() =>
      [...document.styleSheets].map((sheet) => sheet.cssRules.length > 0),
    );
    expect(sheets).toEqual([true, true]);
    expect(await audit(page)).toEqual([]);
    await page.context().close();
  });
});

it('blocks scripts and external resources of custom templates', async () => {
  const show = `<!doctype html><title>Own</title><h1>Own</h1><script>document.title = 'ran'</script>
    <img src="https://elsewhere.example/pixel.png" onerror="document.title = 'ran'">`;
  const own = await startTestPlatform({
    files: { 'show.njk': show },
    local: { view_manager: { template_map: { 'platform-documentation/show': 'show.njk' } } },
  });
  try {
    const { page, outside, errors } = await open('', {}, own);
    await page.waitForLoadState('networkidle');
    expect(await page.title()).toBe('Own');
    // The browser reports what it blocked, so the tests above would notice.
    expect(outside).toEqual(['https://elsewhere.example/pixel.png']);
    expect(errors.join('\n')).toMatch(/inline script/);
    expect(errors.join('\n')).toMatch(/elsewhere\.example/);
  } finally {
    await own.stop();
  }
});

describe('a reader', () => {
  it('navigates from the list to an operation, to another version, and back', async () => {
    const { page, errors } = await open('');
    await page.getByRole('link', { name: 'Atlas', exact: true }).click();
    expect(page.url()).toBe(urlOf('/Atlas'));
    await page.getByRole('link', { name: 'Visit', exact: true }).click();
    expect(page.url()).toBe(urlOf('/Atlas-v2/Visit'));
    await page.getByRole('link', { name: 'DELETE' }).first().click();
    expect(page.url()).toBe(urlOf('/Atlas-v2/Visit#DELETE-entity'));
    expect(await page.locator(':target h2').innerText()).toContain('DELETE');
    expect(await page.locator(':target').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'v1', exact: true }).first().click();
    expect(page.url()).toBe(urlOf('/Atlas-v1/Visit'));
    await page.getByRole('link', { name: 'API documentation' }).click();
    expect(page.url()).toBe(urlOf(''));
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('finds links to the other formats of a page', async () => {
    const { page } = await open('/Atlas/Country');
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('format=apidesc')),
      page
        .getByRole('link', { name: 'apidesc' })
        .click()
        .catch(() => undefined),
    ]);
    expect(answer.headers()['content-type']).toBe('application/vnd.apidesc+json');
    await page.context().close();
  });

  it('can skip to the content with the keyboard', async () => {
    const { page } = await open('/Atlas');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(page.url()).toBe(urlOf('/Atlas#content'));
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.context().close();
  });

  it('does not need JavaScript', async () => {
    const { page } = await open('/Atlas/Country', { javaScriptEnabled: false });
    expect(await page.locator('h1').innerText()).toBe('Country');
    await page.context().close();
  });

  it('sees hostile text unchanged', async () => {
    const { page, errors } = await open('/Hostile/Plain');
    await page.waitForLoadState('networkidle');
    expect(await page.locator('main').innerText()).toContain('<script>alert("x")</script>');
    expect(await page.locator('main script, main img, main iframe').count()).toBe(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
