import type { Page } from 'playwright-core';
import { violations } from '../../../factories/browser/browser';
import { useDocumentationBrowser } from '../../../factories/browser/documentation-browser';
import type { TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

const documentation = useDocumentationBrowser();
const { open, ignoreErrors } = documentation;
let platform: TestPlatform;
let page: Page;
beforeEach(() => {
  ({ platform, page } = documentation);
});

const box = () => page.getByRole('combobox', { name: 'Search the documentation' });

/** Types a query and returns the titles found. */
async function look(query: string): Promise<readonly string[]> {
  const answered = page.waitForResponse(
    (one) => new URL(one.url()).searchParams.get('q') === query && one.ok(),
  );
  await box().fill(query);
  const { total } = (await (await answered).json()) as { readonly total: number };
  if (total > 0) await page.locator('.found').first().waitFor();
  await page.waitForFunction((count) => (document.querySelector('.found') !== null) === count > 0, total);
  await page.waitForFunction(() => document.querySelector('.found-status')?.textContent !== '');
  return page.locator('.found-title').allInnerTexts();
}

/** Delays requests. @returns continues them */
async function holdRequests(url: string): Promise<() => void> {
  let proceed: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (proceed = resolve));
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return proceed;
}

describe('the search', () => {
  it.each(['/', 'Control+k', 'Meta+k'])('opens by %s, and closes on Escape', async (key) => {
    await open('');
    await page.keyboard.press(key);
    await box().waitFor();
    expect(await box().evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await box().count()).toBe(0);
  });

  it('shows its keys, finds paths, and opens an operation with the keyboard', async () => {
    await open('');
    const button = page.getByRole('button', { name: 'Search' });
    expect(await button.innerText()).toMatch(/Search\s*\/\s*Ctrl K/);
    expect(await button.getAttribute('aria-keyshortcuts')).toBe('/ Control+K Meta+K');
    await page.keyboard.press('/');
    await box().waitFor();
    expect((await look('atlas/distance'))[0]).toBe('GET /atlas/distance');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${platform.origin}/platform/documentation/Atlas-v2/Distance#GET`);
    expect(await page.locator(':target h2').innerText()).toContain('/atlas/distance');
  });

  it('opens the first result of what is typed when Enter is pressed at once', async () => {
    await open('');
    await page.keyboard.press('Control+k');
    await box().waitFor();
    await page.keyboard.type('list countries');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${platform.origin}/platform/documentation/Atlas-v2/Country#GET-collection`);
  });

  it('has what was typed while it was loaded', async () => {
    await open('');
    const load = await holdRequests('**/search.js*');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('list/countrys');
    await page.keyboard.press('Backspace');
    load();
    await page.getByRole('option').first().waitFor();
    expect(await box().inputValue()).toBe('list/country');
    await page.keyboard.type('2');
    expect(await box().inputValue()).toBe('list/country2');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('visit');
    expect(await box().inputValue()).toBe('visit');
  });

  it('opens the first result of what is typed, with Enter, while it is loaded', async () => {
    await open('');
    const load = await holdRequests('**/search.js*');
    await page.getByRole('button', { name: 'Search' }).press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('list countries');
    await page.keyboard.press('Enter');
    load();
    await page.waitForURL(`${platform.origin}/platform/documentation/Atlas-v2/Country#GET-collection`);
  });

  it('opens no result if Escape is pressed after Enter while it is loaded', async () => {
    await open('');
    const load = await holdRequests('**/search.js*');
    await page.keyboard.press('/');
    await page.keyboard.type('list countries');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    load();
    await page.locator('.found-title').first().waitFor();
    expect(await box().inputValue()).toBe('list countries');
    await page.keyboard.press('Escape');
    expect(await box().isVisible()).toBe(false);
  });

  it('opens no result of an earlier text when Enter is pressed and the text changes', async () => {
    await open('');
    await page.keyboard.press('/');
    await look('visit');
    const respond = await holdRequests('**/platform/search?q=country*');
    await box().fill('country');
    await page.keyboard.press('Enter');
    await box().fill('distance');
    respond();
    await page.getByText('/atlas/distance').first().waitFor();
    expect(await box().inputValue()).toBe('distance');
    expect(await box().isVisible()).toBe(true);
  });

  it.each([{ isComposing: true }, { keyCode: 229 }])(
    'leaves the keys of an input method to it: %j',
    async (ofInputMethod) => {
      await open('');
      await page.keyboard.press('/');
      await look('visit');
      const isLeft = await box().evaluate(
        (one, how) =>
          one.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how }),
          ),
        ofInputMethod,
      );
      expect(isLeft).toBe(true);
      expect(await box().isVisible()).toBe(true);
    },
  );

  it('opens on the error page of a path that is not correctly encoded', async () => {
    await open('/%E0%A4%A-v1');
    await page.keyboard.press('/');
    await box().waitFor();
    ignoreErrors(/status of 400/);
  });

  it('is a page if the dialog cannot be loaded', async () => {
    await page.route('**/documentation/search.js*', (route) => route.fulfill({ status: 503, body: '' }));
    await open('');
    await page.keyboard.press('/');
    await page.waitForURL('**/platform/search');
    ignoreErrors(/503/);
  });

  it('is a page with what was typed if the dialog cannot be loaded', async () => {
    let fail: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (fail = resolve));
    await page.route('**/documentation/search.js*', async (route) => {
      await held;
      await route.fulfill({ status: 503, body: '' });
    });
    await open('/Atlas-v1/Country');
    await page.keyboard.press('/');
    await page.keyboard.type('visit & more');
    fail();
    await page.waitForURL('**/platform/search?*');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      api: 'Atlas-v1',
      q: 'visit & more',
    });
    ignoreErrors(/503/);
  });

  it('selects results with the arrow keys, as a combobox', async () => {
    await open('');
    await page.keyboard.press('/');
    await box().waitFor();
    expect(await box().getAttribute('aria-expanded')).toBe('false');
    await look('country');
    expect(await box().getAttribute('aria-expanded')).toBe('true');
    const selected = () => page.locator('[role=option][aria-selected=true]').getAttribute('id');
    expect([await selected(), await box().getAttribute('aria-activedescendant')]).toEqual([
      'found-0',
      'found-0',
    ]);
    await page.keyboard.press('ArrowDown');
    expect([await selected(), await box().getAttribute('aria-activedescendant')]).toEqual([
      'found-1',
      'found-1',
    ]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await selected()).toBe(`found-${(await page.locator('.found').count()) - 1}`);
  });

  it('ranks names above text, tolerates typing errors, and reports no results', async () => {
    await open('');
    await page.keyboard.press('/');
    expect((await look('visit'))[0]).toBe('Visit');
    expect((await look('contry'))[0]).toBe('Country');
    expect((await look('locaton latitude'))[0]).toBe('location.latitude');
    expect((await look('deletes'))[0]).toBe('DELETE /atlas/visits/:visit_id');
    expect((await look('401'))[0]).toBe('unauthorized');
    expect(await look('zzzzzz')).toEqual([]);
    expect(await page.getByRole('status').innerText()).toBe('No results.');
  });

  it('prefers the current version', async () => {
    await open('/Atlas-v1/Country');
    await page.keyboard.press('/');
    await look('visit');
    expect(await page.locator('.found').first().getAttribute('href')).toBe(
      '/platform/documentation/Atlas-v1/Visit',
    );
  });

  it.each(['/Atlas', '/Atlas/Country', '/Atlas-v2/Nothing'])('knows the version of %s', async (below) => {
    await open(below);
    await page.keyboard.press('/');
    const requested = page.waitForRequest((one) => new URL(one.url()).searchParams.get('q') === 'visit');
    await look('visit');
    expect(new URL((await requested).url()).searchParams.get('api')).toBe('Atlas-v2');
    ignoreErrors(/404/);
  });

  it('shows the summary of an operation in the direction of its text', async () => {
    const marks = { title: [], text: [] };
    const result = {
      kind: 'operation',
      title: 'وصف API.',
      within: '',
      url: '/',
      text: '',
      method: 'GET',
      marks,
    };
    const json = { query: 'x', total: 1, results: [{ ...result, path: '/' }] };
    await page.route('**/platform/search?q=*', (route) => route.fulfill({ json }));
    await open('');
    await page.keyboard.press('/');
    await box().fill('x');
    const edges = await page.locator('.found-title bdi').evaluate((title) => {
      const text = title.firstChild ?? title;
      return [0, 7].map((at) => {
        const range = new Range();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().right;
      });
    });
    expect(edges[0]).toBeGreaterThan(edges[1] ?? Infinity);
  });

  it('ignores a slash in inputs, closes on Escape, and restores the focus', async () => {
    await open('');
    await page.getByRole('button', { name: 'Search' }).click();
    await box().waitFor();
    await page.keyboard.type('a/b');
    expect(await box().inputValue()).toBe('a/b');
    await page.keyboard.press('Escape');
    expect(await box().count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Search');
  });

  it('says that the server cannot be reached, and searches again on request and when it can be', async () => {
    await open('');
    await page.keyboard.press('/');
    await look('visit');
    await documentation.context.setOffline(true);
    await box().fill('country');
    const retry = page.getByRole('button', { name: 'Retry' });
    await retry.waitFor();
    expect(await page.getByRole('status').innerText()).toBe(
      'Search is not available: the server cannot be reached.',
    );
    expect(await page.locator('.found').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    // Results that were found before are still available.
    await box().fill('visit');
    await page.locator('.found').first().waitFor();
    expect(await retry.isVisible()).toBe(false);
    await box().fill('country');
    await retry.waitFor();
    await page.route('**/platform/search?*', (route) => route.fulfill({ status: 503, body: '' }));
    await documentation.context.setOffline(false);
    await page.waitForFunction(() => document.querySelector('.found-status')?.textContent.includes('503'));
    await page.unroute('**/platform/search?*');
    await retry.click();
    await page.locator('.found').first().waitFor();
    expect(await box().evaluate((one) => one === document.activeElement)).toBe(true);
    ignoreErrors(/ERR_INTERNET_DISCONNECTED|503/);
  });

  it.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('has no accessibility violations, at %i pixels in the %s theme', async (width, theme) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: theme });
    await open('/Atlas-v2/Country');
    await page.keyboard.press('Control+k');
    await look('country');
    expect(await violations(page)).toEqual([]);
    await page.goto(`${platform.origin}/platform/search?q=country&api=Atlas-v2`);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });

  it('works without JavaScript, as a page', async () => {
    const still = await documentation.browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const plain = await still.newPage();
    await plain.goto(`${platform.origin}/platform/documentation/Atlas-v1/Country`);
    await plain.getByRole('link', { name: 'Search', exact: true }).click();
    await plain.getByRole('searchbox', { name: 'Search the documentation' }).fill('list visits');
    await plain.getByRole('button', { name: 'Search' }).click();
    expect(new URL(plain.url()).search).toBe('?q=list+visits&api=Atlas-v1');
    const first = plain.getByRole('list', { name: 'Search results' }).getByRole('link').first();
    expect(await first.innerText()).toContain('/atlas/visits');
    await first.click();
    expect(plain.url()).toBe(`${platform.origin}/platform/documentation/Atlas-v1/Visit#GET-collection`);
    await still.close();
  });
});
