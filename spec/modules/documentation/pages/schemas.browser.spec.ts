import type { Browser, Page } from 'playwright-core';
import { launchBrowser, violations } from '../../../factories/browser/browser';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { petsModule } from '../../../fixtures/pets-module';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

let platform: TestPlatform;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  platform = await startTestPlatform({ extra: [petsModule] });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});
afterEach(() => page.close());

async function open(fragment: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<void> {
  page = await browser.newPage({ viewport: { width: 1024, height: 900 }, ...options });
  await page.goto(`${platform.origin}/platform/documentation/Pets/Pet${fragment}`, {
    waitUntil: 'networkidle',
  });
}

const isVisible = (id: string): Promise<boolean> => page.locator(`[id="${id}"]`).isVisible();

describe('alternatives and statuses', () => {
  it('are tabs that work with the keyboard', async () => {
    await open('#POST.body.animal');
    const dog = page.locator('[id="POST.body.animal"]').getByRole('tab', { name: 'dog' });
    await dog.waitFor();
    expect([await isVisible('POST.body.animal.cat'), await isVisible('POST.body.animal.dog')]).toEqual([
      true,
      false,
    ]);
    await dog.click();
    expect([await isVisible('POST.body.animal.cat'), await isVisible('POST.body.animal.dog')]).toEqual([
      false,
      true,
    ]);
    // The browser has this key, for the page before.
    await page.keyboard.press('Alt+ArrowLeft');
    expect(await isVisible('POST.body.animal.cat')).toBe(false);
    await page.keyboard.press('ArrowLeft');
    expect(await isVisible('POST.body.animal.cat')).toBe(true);
    await page.locator('#POST').getByRole('tab', { name: '422' }).click();
    expect(await isVisible('POST.422')).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  it('are found by the search of the browser, which opens them', async () => {
    await open('');
    const panel = page.locator('[id="POST.422"]');
    expect(await panel.isVisible()).toBe(false);
    // Browsers find hidden text that has a box whose content they skip.
    expect(
      await panel.evaluate((one) => {
        const { display, contentVisibility } = getComputedStyle(one);
        return [display, contentVisibility, one.getBoundingClientRect().height];
      }),
    ).toEqual(['block', 'hidden', 0]);
    await panel.evaluate((one) => one.dispatchEvent(new Event('beforematch')));
    expect(await panel.isVisible()).toBe(true);
  });

  it.each(['with', 'without'])(
    'are printed one below the other, with their names, %s the attribute until-found',
    async (how) => {
      await open('');
      await page.emulateMedia({ media: 'print' });
      if (how === 'without')
        await page.evaluate(() => {
          for (const one of document.querySelectorAll<HTMLElement>('.tab[hidden]')) one.hidden = true;
        });
      expect([await isVisible('POST.200'), await isVisible('POST.422')]).toEqual([true, true]);
      const dog = page.locator('[id="POST.body.animal.dog"]');
      expect(await dog.locator(':scope > .tab-title').innerText()).toMatch(/^dog/);
      expect(await dog.locator('.fields').first().isVisible()).toBe(true);
      expect(await page.getByRole('tab').first().isVisible()).toBe(false);
    },
  );

  it('are a list without JavaScript', async () => {
    await open('', { javaScriptEnabled: false });
    expect(await page.getByRole('tab').count()).toBe(0);
    expect([await isVisible('POST.200'), await isVisible('POST.422')]).toEqual([true, true]);
    expect([await isVisible('POST.body.animal.cat'), await isVisible('POST.body.animal.dog')]).toEqual([
      true,
      true,
    ]);
  });
});

describe('the filter of the sidebar', () => {
  it('shows the services whose names contain all words', async () => {
    await open('');
    const filter = page.getByLabel('Filter services');
    expect(await page.getByRole('link', { name: 'Number12', exact: true }).isVisible()).toBe(true);
    await filter.fill('num 3');
    expect(await page.locator('.services > li:visible').allInnerTexts()).toEqual(['Number3']);
    expect(await page.locator('.sidebar [role=status]').innerText()).toBe('1 service');
    await filter.fill('');
    expect(await page.locator('.services > li:visible').count()).toBe(13);
  });
});

describe('a link to a field', () => {
  it('opens the enclosing tabs and members', async () => {
    await open('#GET.200.items.animal.dog.tricks.items.level');
    expect(await isVisible('GET.200.items.animal.dog.tricks.items.level')).toBe(true);
    await page.evaluate(() => (location.hash = '#GET.406'));
    await page.locator('[id="GET.406"]').waitFor();
    await page.goBack();
    await page.locator('[id="GET.200.items.animal.dog.tricks.items.level"]').waitFor();
  });

  it('fits a narrow window', async () => {
    await open('#POST.body.animal.dog.tricks', { viewport: { width: 390, height: 844 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
