import type { Browser, Locator } from 'playwright-core';
import { ADMIN, WITH_ADMIN } from '../../../factories/admin/admin';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { launchBrowser } from '../../../factories/browser/browser';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

let platform: TestPlatform;
let browser: Browser;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: WITH_ADMIN,
    files: { 'data/administrators.htpasswd': 'ada:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n' },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

const coloursOf = (button: Locator): Promise<readonly string[]> =>
  button.evaluate((element) => {
    const { color, backgroundColor, borderTopColor } = getComputedStyle(element);
    return [color, backgroundColor, borderTopColor];
  });

describe('The theme switch', () => {
  it.each([
    ['Light', 'Dark'],
    ['Dark', 'Light'],
  ])('marks the selected theme %s on admin pages like on documentation pages', async (selected, other) => {
    const page = await browser.newPage();
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
    await page.goto(`${platform.origin}/platform/documentation`);
    await button(selected).click();
    const seen: (readonly string[])[] = [];
    for (const place of ['/platform/documentation', `${ADMIN}/sign-in`]) {
      await page.goto(platform.origin + place);
      await page.locator(`[value=${selected.toLowerCase()}][aria-pressed=true]`).waitFor();
      const colours = [await coloursOf(button(selected)), await coloursOf(button(other))];
      expect(colours[0]).not.toEqual(colours[1]);
      seen.push(colours.flat());
    }
    expect(seen[1]).toEqual(seen[0]);
    await page.close();
  });
});
