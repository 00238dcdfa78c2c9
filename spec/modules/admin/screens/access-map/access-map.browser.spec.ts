import type { Browser, Page } from 'playwright-core';
import { startAdminPlatform, type AdminPlatform } from '../../../../factories/admin/admin';
import { pageOfAda } from '../../../../factories/admin/admin-browser';
import { audit, EVERY_SCREEN, launchBrowser } from '../../../../factories/browser/browser';
import { sampleAuthentication } from '../../../../factories/platform';
import { withPrograms } from '../../../../factories/processes/programs';
import { setTestTimeout } from '../../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

let platform: AdminPlatform;
let browser: Browser;

beforeAll(async () => {
  platform = await startAdminPlatform({
    local: {
      'platform-mvc-auth': {
        ...(sampleAuthentication['platform-mvc-auth'] as object),
        authorization: { 'Atlas-v1': { Country: { collection: { GET: ['@editors'] } } } },
      },
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

async function open(colorScheme: 'light' | 'dark', width = 1440): Promise<Page> {
  const page = await pageOfAda(browser, platform, {
    viewport: { width, height: 900 },
    colorScheme,
    bypassCSP: true,
  });
  await page.goto(`${platform.origin}/platform/admin/access-map`);
  return page;
}

describe('The picture of the access map', () => {
  it.each(['light', 'dark'] as const)(
    'draws its texts within their boxes, in the colours of the %s theme',
    async (theme) => {
      const page = await open(theme);
      const { outside, ink, paper } = await page.evaluate(() => {
        const nodes = [...document.querySelectorAll('.picture .node')];
        const right = (one: Element | null): number => one?.getBoundingClientRect().right ?? 0;
        const texts = nodes.flatMap((node) =>
          [...node.querySelectorAll('text')].map(
            (text) => [text.textContent, right(text) - right(node.querySelector('rect'))] as const,
          ),
        );
        const fill = (selector: string): string =>
          getComputedStyle(document.querySelector(selector) ?? document.body).fill;
        return {
          outside: texts.filter(([, beyond]) => beyond > 0).map(([text]) => text),
          ink: fill('.picture .node-title'),
          paper: fill('.picture .node-plain rect'),
        };
      });
      expect(outside).toEqual([]);
      expect([ink, paper]).toEqual(
        theme === 'light'
          ? ['rgb(23, 26, 33)', 'rgb(245, 246, 248)']
          : ['rgb(232, 235, 240)', 'rgb(23, 29, 36)'],
      );
      await page.context().close();
    },
  );

  it('has the colours of the system where these are forced, also in a theme of other colours', async () => {
    const context = { forcedColors: 'active', colorScheme: 'light', bypassCSP: true } as const;
    const page = await pageOfAda(browser, platform, context);
    await page.addInitScript(() => {
      localStorage.setItem('platform.theme', 'dark');
    });
    await page.goto(`${platform.origin}/platform/admin/access-map`);
    const [system, drawn] = await page.evaluate(() => {
      const colourOf = (color: string): string => {
        const example = document.createElement('i');
        example.style.color = color;
        document.body.append(example);
        return getComputedStyle(example).color;
      };
      const inPicture = (selector: string): Element[] => [
        ...document.querySelectorAll(`.picture ${selector}`),
      ];
      const used = new Set([
        ...inPicture(':is(text, rect)').map((one) => getComputedStyle(one).fill),
        ...inPicture(':is(rect, .edge, .gap-icon)').map((one) => getComputedStyle(one).stroke),
      ]);
      return [['Canvas', 'CanvasText', 'LinkText'].map(colourOf), [...used]];
    });
    expect(drawn.filter((colour) => colour !== 'none' && !system.includes(colour))).toEqual([]);
    expect(drawn).toEqual(expect.arrayContaining(system));
    await page.context().close();
  });

  it('can be used with the keyboard: its nodes are links in reading order, with a visible focus', async () => {
    const page = await open('light');
    const link = page.getByRole('listitem').getByRole('link', { name: /^Atlas v1: / });
    await link.focus();
    const strokes = await link.evaluate(
      (one) => getComputedStyle(one.querySelector('rect') ?? one).strokeWidth,
    );
    expect(strokes).toBe('3px');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/apis\/Atlas-v1$/);
    await page.goBack();
    await page.getByRole('link', { name: /^@editors: .*Gap: Rules require the group @editors/ }).click();
    await page.waitForURL(/\/adapters\/atlas-basic\/edit$/);
    await page.context().close();
  });

  it('is printed with its gaps over the whole width, on wide paper too', async () => {
    const page = await open('light', 1050);
    await page.emulateMedia({ media: 'print' });
    const [main, gaps] = [page.locator('main'), page.locator('.gaps details').first()];
    // As where there are many of them.
    await gaps.evaluate((one) => one.removeAttribute('open'));
    expect((await main.boundingBox())?.width).toBeGreaterThan(900);
    expect(
      await gaps
        .locator('li')
        .first()
        .evaluate((one) => one.checkVisibility()),
    ).toBe(true);
    await page.context().close();
  });

  it('is a group of lists for screen readers, one for each column', async () => {
    const page = await open('light');
    const picture = page.getByRole('group', { name: 'Access map' });
    for (const column of ['API versions', 'Adapters', 'User sources', 'Groups'])
      expect(await picture.getByRole('list', { name: column }).count()).toBe(1);
    await page.context().close();
  });

  it('has no accessibility violations with its table', async () => {
    const page = await open('light');
    await page.getByText('Show as a table').click();
    expect(await audit(page, EVERY_SCREEN)).toEqual([]);
    await page.context().close();
  });
});
