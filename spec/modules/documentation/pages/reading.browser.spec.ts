import { brotliCompressSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { useDocumentationBrowser } from '../../../factories/browser/documentation-browser';
import type { TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

const documentation = useDocumentationBrowser({
  permissions: ['clipboard-read', 'clipboard-write'],
});
const { open, ignoreErrors } = documentation;
let platform: TestPlatform;
let page: Page;
beforeEach(() => {
  ({ platform, page } = documentation);
});

const shownSample = (): Promise<string> =>
  page.locator('#POST-collection .call:visible').evaluateAll((found) => {
    if (found.length !== 1) throw new Error(`${found.length} samples are shown.`);
    return [...(found[0]?.querySelectorAll('code') ?? [])].map((code) => code.textContent).join('\n');
  });

describe('code samples', () => {
  it('use the origin of the page', async () => {
    await open('/Atlas-v2/Visit');
    expect(await shownSample()).toContain(`curl -X POST ${platform.origin}/v2/atlas/visits`);
  });

  it('use the selected language on all pages, before the first paint', async () => {
    await open('/Atlas-v2/Visit');
    await page.locator('#GET-collection').getByText('Python', { exact: true }).click();
    expect(await shownSample()).toContain('import urllib.request');
    await open('/Atlas-v1/Visit');
    expect(await shownSample()).toContain('import urllib.request');
    expect(await page.locator('input[value=python]:checked').count()).toBe(
      await page.locator('.languages').count(),
    );
    await page.locator('#GET-collection').getByText('JavaScript', { exact: true }).click();
    expect(await shownSample()).toContain('await fetch(');
  });

  it('can be selected with the keyboard', async () => {
    await open('/Atlas-v2/Visit');
    await page.locator('#POST-collection .languages input').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await shownSample()).toContain('fetchWithDigest(');
  });

  it('fold the code for Digest, which is copied with the rest', async () => {
    await open('/Atlas-v2/Visit');
    const post = page.locator('#POST-collection .calls');
    await post.getByText('Python', { exact: true }).click();
    const helper = post.locator('.call-python .helper');
    expect(await helper.locator('pre').isVisible()).toBe(false);
    expect(await post.getByText('user, password = "USER", "PASSWORD"').isVisible()).toBe(true);
    await post.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      'def open_with_digest(request)',
    );
    await helper.getByText('Digest authentication (RFC 7616)').click();
    expect(await helper.getByText('def open_with_digest(request)').isVisible()).toBe(true);
  });

  it('are copied as shown', async () => {
    await open('/Atlas-v2/Visit');
    await page.locator('#POST-collection .calls').getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await shownSample());
  });

  it('are copied outside of secure contexts, and the button keeps the focus', async () => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await open('/Atlas-v2/Visit');
    await page.locator('#POST-collection .calls').getByRole('button', { name: 'Copy' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Copied');
  });

  it('are complete without scripts, with the configured address and all languages', async () => {
    const still = await documentation.browser.newContext({ javaScriptEnabled: false });
    const plain = await still.newPage();
    await plain.goto(`${platform.origin}/platform/documentation/Atlas-v2/Visit`);
    const post = plain.locator('#POST-collection');
    expect(await post.locator('.call:visible').innerText()).toContain('curl -X POST http://127.0.0.1:');
    await post.getByText('HTTPie').click();
    expect(await post.locator('.call:visible').innerText()).toMatch(/^http -A digest -a USER POST/);
    for (const name of ['Search', 'Light', 'Dark', 'Copy', 'Try it'])
      expect(await plain.getByRole('button', { name }).count()).toBe(0);
    await still.close();
  });
});

describe('the colour theme', () => {
  const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  const themeButton = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const selected = (): Promise<readonly string[]> =>
    page.getByRole('group', { name: 'Theme' }).locator('[aria-pressed=true]').allInnerTexts();

  it('follows the system until the reader selects one', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open('');
    const dark = await paper();
    expect(await selected()).toEqual(['Dark']);
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await paper();
    expect(light).not.toBe(dark);
    // The browser reports the change to the script later than it applies the style.
    await page.getByRole('button', { name: 'Light', exact: true, pressed: true }).waitFor();
    expect(await selected()).toEqual(['Light']);
    await themeButton('Dark').click();
    expect([await paper(), await selected()]).toEqual([dark, ['Dark']]);
    await open('/Atlas');
    expect([await paper(), await selected()]).toEqual([dark, ['Dark']]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await themeButton('Light').click();
    expect([await paper(), await selected()]).toEqual([light, ['Light']]);
  });

  it('can be selected with the keyboard, and applies to other tabs', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open('');
    const other = await page.context().newPage();
    await other.goto(`${platform.origin}/platform/documentation/Atlas`);
    const middles = await page
      .locator('.controls button')
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2),
      );
    expect(new Set(middles.map(Math.round)).size).toBe(1);
    await themeButton('Dark').focus();
    await page.keyboard.press('Enter');
    expect(await selected()).toEqual(['Dark']);
    await other.locator('[data-theme=dark] [value=dark][aria-pressed=true]').waitFor();
    await other.close();
  });

  it('applies to a page that the browser kept for Back, as the language of samples does', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open('/Atlas-v2/Visit');
    // Browsers under test keep no pages.
    await page.evaluate(() => {
      localStorage.setItem('platform.theme', 'dark');
      localStorage.setItem('platform.language', 'python');
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    expect(await selected()).toEqual(['Dark']);
    expect(await shownSample()).toContain('import urllib.request');
  });

  it('is set before the content of a page exists, so that the other theme never shows', async () => {
    await page.addInitScript(() => {
      localStorage.setItem('platform.theme', 'dark');
      new MutationObserver((_changes, observer) => {
        if (document.querySelector('body') === null) return;
        document.documentElement.title = document.documentElement.dataset.theme ?? 'none';
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.emulateMedia({ colorScheme: 'light' });
    for (const path of ['documentation', 'errors']) {
      await page.goto(`${platform.origin}/platform/${path}`, { waitUntil: 'networkidle' });
      expect([path, await page.evaluate(() => document.documentElement.title)]).toEqual([path, 'dark']);
    }
  });

  it('applies to error pages', async () => {
    await page.addInitScript(() => localStorage.setItem('platform.theme', 'dark'));
    await page.goto(`${platform.origin}/platform/documentation`);
    const dark = await paper();
    await page.goto(`${platform.origin}/platform/documentation/Atlsa`);
    expect(await paper()).toBe(dark);
    ignoreErrors(/status of 404/);
  });

  it('causes no layout shift while loading', async () => {
    await page.addInitScript(() => {
      localStorage.setItem('platform.language', 'python');
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) document.documentElement.title += ` ${JSON.stringify(entry)}`;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const below of ['', '/Atlas', '/Atlas-v2/Country', '/Atlas-v2/Visit']) {
      await open(below);
      expect(await page.evaluate(() => document.documentElement.title)).toBe('');
    }
  });

  it('prints without interactive elements', async () => {
    await open('/Atlas-v2/Visit');
    await page.emulateMedia({ media: 'print' });
    for (const name of ['Search', 'Light', 'Dark', 'Copy'])
      expect(await page.getByRole('button', { name }).first().isVisible()).toBe(false);
    expect(await page.locator('.sidebar').isVisible()).toBe(false);
    expect(await shownSample()).toContain('curl');
  });

  it('prints long samples completely', async () => {
    await page.addInitScript(() => localStorage.setItem('platform.language', 'javascript'));
    await open('/Atlas-v2/Visit');
    await page.emulateMedia({ media: 'print' });
    const call = page.locator('#POST-collection .call-javascript');
    expect(await call.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
  });

  it('marks what is selected where the system replaces the colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open('/Atlas-v2/Visit');
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('visit');
    await page.locator('.found').first().waitFor();
    for (const selected of [
      'dialog.search input:focus',
      '.found[aria-selected=true]',
      '.languages label:has(:checked)',
      '[role=tab][aria-selected=true]',
    ])
      expect(
        await page
          .locator(selected)
          .first()
          .evaluate((one) => getComputedStyle(one).outlineStyle),
      ).toBe('solid');
  });
});

describe('the navigation', () => {
  it.each([660, 768, 1024])('is not above what has the focus, at %d pixels', async (width) => {
    await page.setViewportSize({ width, height: 700 });
    await open('/Atlas-v2/Visit');
    const hidden = await page.evaluate(() => {
      const bar = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0;
      const links = [...document.querySelectorAll<HTMLElement>('main a')].filter((one) =>
        one.checkVisibility({ contentVisibilityAuto: true }),
      );
      return links.reverse().filter((one) => {
        one.focus();
        return one.getBoundingClientRect().top < bar;
      }).length;
    });
    expect(hidden).toBe(0);
  });

  it('marks the current operation', async () => {
    await open('/Atlas-v2/Visit');
    const current = page.locator('.sidebar [aria-current=location]');
    expect(await current.count()).toBe(0);
    await page
      .locator('#PATCH-entity')
      .evaluate((section) => section.scrollIntoView({ behavior: 'instant' }));
    await page.locator('.sidebar [aria-current=location]', { hasText: 'PATCH' }).waitFor();
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await page.locator('.sidebar [aria-current=location]', { hasText: 'DELETE' }).waitFor();
    expect(await current.count()).toBe(1);
  });
});

it('has less than 60 KB of scripts in total', async () => {
  await open('/Atlas-v2/Visit');
  const seen = new Set<string>();
  const waiting = await page
    .locator('script[src]')
    .evaluateAll((found) => found.map((script) => (script as HTMLScriptElement).src));
  let bytes = 0;
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (seen.has(url)) continue;
    seen.add(url);
    const text = await (await fetch(url)).text();
    bytes += brotliCompressSync(text).length;
    for (const [, name = ''] of text.matchAll(/(?:from|import\()\s*'(\.\/[\w-]+\.js)'/g))
      waiting.push(new URL(name, url).href);
  }
  expect(seen.size).toBeGreaterThan(8);
  expect(bytes).toBeLessThan(60_000);
});
