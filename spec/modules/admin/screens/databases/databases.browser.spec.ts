import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ADMIN } from '../../../../factories/admin/admin';
import { audit, EVERY_SCREEN, launchBrowser } from '../../../../factories/browser/browser';
import {
  productService,
  startDatabasePlatform,
  type DatabasePlatform,
} from '../../../../factories/admin/admin-databases';
import { withPrograms } from '../../../../factories/processes/programs';
import { setTestTimeout } from '../../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

const FORM = '/databases/shop/tables/products/service';
const SERVICES = '/apis/Shop-v1/services';
const PAGES = [
  '/databases',
  '/databases/shop',
  '/databases/shop/tables/products',
  SERVICES,
  `${SERVICES}/new`,
  `${SERVICES}/Product/edit`,
  `${SERVICES}/Product/remove`,
  `${SERVICES}/procedures/new`,
  '/apis/Shop-v1/remove',
  '/databases/shop/snapshot',
  FORM,
] as const;

const LONG = 'a_table_with_a_long_name_that_has_no_spaces_to_break_its_lines_at';

let platform: DatabasePlatform;
let browser: Browser;
beforeAll(async () => {
  const long = {
    kind: 'table',
    adapter_name: 'shop',
    table_name: LONG,
    route: `/shop/${LONG}[/:id]`,
    route_identifier_name: 'id',
    columns: { id: {} },
    collection: { GET: {} },
  };
  const services = { Product: productService, AServiceWithALongNameThatHasNoSpacesToBreakItsLinesAt: long };
  platform = await startDatabasePlatform(services, {
    sql: `CREATE TABLE ${LONG} (
      id INTEGER PRIMARY KEY, a_column_with_a_long_name_that_has_no_spaces_to_break_its_lines_at TEXT NOT NULL);
      ${Array.from({ length: 60 }, (_, at) => `CREATE TABLE t${at} (id INTEGER PRIMARY KEY);`).join('')}`,
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

async function open(below: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const [name = '', value = ''] = (platform.ada.cookie ?? '').split('=');
  await context.addCookies([{ name, value, domain: '127.0.0.1', path: ADMIN }]);
  const page = await context.newPage();
  await page.goto(platform.origin + ADMIN + below);
  return page;
}

describe('On every screen', () => {
  it('the pages of databases and services have no accessibility violations or overflow', async () => {
    const page = await open(PAGES[0]);
    for (const below of PAGES) {
      await page.goto(platform.origin + ADMIN + below);
      expect([below, ...(await audit(page, [...EVERY_SCREEN, [1200, 'light']]))]).toEqual([below]);
    }
    await page.getByLabel('Page size', { exact: true }).fill('0');
    await page.getByRole('button', { name: 'Review changes' }).click();
    expect(await audit(page, EVERY_SCREEN)).toEqual([]);
    await page.getByLabel('Page size', { exact: true }).fill('25');
    await page.getByLabel('Service', { exact: true }).fill('Ware');
    await page.getByLabel('Route', { exact: true }).fill('/wares[/:id]');
    await page.getByRole('button', { name: 'Review changes' }).click();
    expect(await page.locator('h1').innerText()).toBe('Review changes');
    expect(await audit(page, EVERY_SCREEN)).toEqual([]);
    await page.context().close();
  });
});

describe('The button in a row', () => {
  it.each([390, 1024, 1280])(
    'begins where its cell begins, without space below, at %d pixels',
    async (width) => {
      const page = await open('/databases', { viewport: { width, height: 768 } });
      const distance = await page
        .locator('td form')
        .first()
        .evaluate((form) => {
          const text = document.createRange();
          text.selectNodeContents(form.querySelector('button')?.firstChild ?? form);
          const lines = [...text.getClientRects()];
          const { left } = form.getBoundingClientRect();
          return [
            Math.max(...lines.map((line) => line.left)) - left,
            parseFloat(getComputedStyle(form).marginBottom),
          ];
        });
      expect(distance).toEqual([0, 0]);
      await page.context().close();
    },
  );
});

describe('Without JavaScript', () => {
  it('a connection is tested, and a service is created from a table', async () => {
    const page = await open('/databases', { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Test connection to shop' }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/^Connected to shop in \d+ ms\.$/);
    await page.getByRole('link', { name: 'shop', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('makers');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: 'New service from makers' }).click();
    await page.getByLabel('Read access').selectOption('Everyone');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(await page.getByRole('status').innerText()).toContain('Added the service "Maker"');
    expect((await platform.request('/makers')).status).toBe(200);
    await page.context().close();
  });
});

describe('A form', () => {
  it('shows each reason of a refused configuration on its own line', async () => {
    const page = await open(`${SERVICES}/Product/edit`);
    await page.fill('[name=others]', JSON.stringify({ max_items: 'many', nested_filters: 'none' }));
    await page.getByRole('button', { name: 'Review changes' }).click();
    const shown = await page.getByRole('alert').innerText();
    expect(shown).toMatch(/: .*max_items.*\n.*nested_filters/);
    await page.context().close();
  });
});
