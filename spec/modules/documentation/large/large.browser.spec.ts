import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../factories/browser/browser';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { defineApi, defineProcedure, defineRpcService, Type, type Module } from '../../../../src/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';
import { until } from '../../../factories/until';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

const nameOf = (number: number) => `ReportsOfOneRepositoryByOwnerAndByName${number}`;

const report = (number: number) =>
  defineRpcService({
    description: `Report ${number}.`,
    route: `/owners/:owner/repositories/:repository/reports/of_one_repository/${number}`,
    methods: {
      GET: defineProcedure({
        description: `Reads the report ${number}.`,
        response: Type.Object({ [`figure_${number}`]: Type.Number() }),
        handler: () => ({ [`figure_${number}`]: number }),
      }),
    },
  });

const many: Module & { apis: unknown } = {
  name: 'many',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Many',
      versions: {
        1: {
          services: Object.fromEntries(
            Array.from({ length: 300 }, (_, number) => [nameOf(number), report(number)]),
          ),
        },
      },
    }),
  ],
};

let platform: TestPlatform;
let browser: Browser;
beforeAll(async () => {
  platform = await startTestPlatform({ extra: [many] });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

async function open(below: string, width: number) {
  const page = await browser.newPage({ viewport: { width, height: 844 } });
  await page.goto(`${platform.origin}/platform/documentation/Many-v1${below}`, { waitUntil: 'networkidle' });
  return page;
}

describe('an API with 300 services', () => {
  it('starts with the service in a narrow window, with its name visible in the list', async () => {
    const page = await open(`/${nameOf(250)}`, 390);
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(heading?.y).toBeLessThan(844);
    const current = (await page.locator('.services [aria-current=page]').boundingBox())!;
    const list = (await page.locator('.services').boundingBox())!;
    expect(current.y).toBeGreaterThanOrEqual(list.y);
    expect(current.y + current.height).toBeLessThanOrEqual(list.y + list.height);
    expect(await page.locator('.services').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.close();
  });

  it('renders visible parts only, but prints completely', async () => {
    const page = await open('', 1440);
    const isLaidOut = () =>
      page.getByText('Report 299.').evaluate((one) => one.checkVisibility({ contentVisibilityAuto: true }));
    expect(await isLaidOut()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await isLaidOut()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.getByText('Report 299.').scrollIntoViewIfNeeded();
    // The browser lays it out with the next frames.
    await until(isLaidOut);
    await page.close();
  });

  it('is searchable by response fields, and shows paths next to long names', async () => {
    const page = await open('', 1440);
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('figure_123');
    const found = page.locator('.found').first();
    await found.waitFor();
    expect(await found.locator('.path').innerText()).toMatch(/\/123$/);
    const [title, whole] = [await found.locator('.found-title').boundingBox(), await found.boundingBox()];
    expect(title!.width).toBeGreaterThan(whole!.width / 2);
    await page.close();
  });
});
