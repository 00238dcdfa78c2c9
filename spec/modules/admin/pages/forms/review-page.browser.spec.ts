import type { Browser } from 'playwright-core';
import { startAdminPlatform, type AdminPlatform } from '../../../../factories/admin/admin';
import { pageOfAda } from '../../../../factories/admin/admin-browser';
import { launchBrowser } from '../../../../factories/browser/browser';
import { withPrograms } from '../../../../factories/processes/programs';
import { setTestTimeout } from '../../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

let browser: Browser;
let platform: AdminPlatform;
beforeAll(async () => {
  browser = await launchBrowser();
  platform = await startAdminPlatform();
});
afterAll(async () => {
  await platform.stop();
  await browser.close();
});

describe('Going back in the browser', () => {
  it('leads from a form to its review, and says after the change that it was saved', async () => {
    const page = await pageOfAda(browser, platform);
    await page.goto(`${platform.origin}/platform/admin/apis/Atlas-v1/texts`);
    await page.fill('[name="/description"]', 'Countries and their cities.');
    const review = page.getByRole('heading', { name: 'Review changes', level: 1 });
    await page.click('main button.main');
    await review.waitFor();
    await page.click('main button[name="edit"]');
    // A browser does not go back while the form is on its way.
    await review.waitFor({ state: 'detached' });
    await page.goBack();
    await review.waitFor();
    await page.click('main button.main');
    expect(await page.innerText('[role="status"]')).toContain('Undo');
    await page.goBack();
    expect(await page.innerText('h1')).toBe('This change was saved');
  });

  it('leads from the second review of a change to the form that was edited again', async () => {
    const page = await pageOfAda(browser, platform);
    await page.goto(`${platform.origin}/platform/admin/apis/Atlas-v1/texts`);
    await page.fill('[name="/description"]', 'Edited once.');
    await page.click('main button.main');
    await page.click('main button[name="edit"]');
    await page.fill('[name="/description"]', 'Edited twice.');
    await page.click('main button.main');
    const review = page.getByRole('heading', { name: 'Review changes', level: 1 });
    await review.waitFor();
    await page.goBack();
    expect(await page.inputValue('[name="/description"]')).toMatch(/^Edited (once|twice)\.$/);
    await page.reload();
    expect(await page.inputValue('[name="/description"]')).toBe('Edited once.');
    expect(await page.title()).not.toContain('Review');
  });

  it('leads from a form to the concurrent change that it was shown next to', async () => {
    const page = await pageOfAda(browser, platform);
    await page.goto(`${platform.origin}/platform/admin/apis/Atlas-v1/texts`);
    await platform.ada.save('/apis/Atlas-v1/texts', { '/description': 'Theirs.' });
    await page.fill('[name="/description"]', 'Mine.');
    await page.click('main button.main');
    const conflict = page.getByRole('heading', { name: 'This was changed by someone else', level: 1 });
    await conflict.waitFor();
    await page.click('text=Load their version');
    await conflict.waitFor({ state: 'detached' });
    await page.goBack();
    await conflict.waitFor();
    await page.reload();
    await page.click('text=Keep my change');
    await page.click('text=Save changes');
    expect(await page.innerText('[role="status"]')).toContain('Undo');
    await page.goBack();
    expect(await page.innerText('h1')).toBe('This change was saved');
  });
});
