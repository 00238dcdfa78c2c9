import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ServiceHistory } from '../../../../../src/modules/admin/monitoring/service-history';
import { startAdminPlatform, type AdminPlatform } from '../../../../factories/admin/admin';
import { pageOfAda } from '../../../../factories/admin/admin-browser';
import { audit, launchBrowser } from '../../../../factories/browser/browser';
import { sampleAuthentication } from '../../../../factories/platform';
import { withPrograms } from '../../../../factories/processes/programs';
import { setTestTimeout } from '../../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(180);

let platform: AdminPlatform;
let browser: Browser;

beforeAll(async () => {
  platform = await startAdminPlatform({ local: sampleAuthentication });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

async function send(...paths: readonly string[]): Promise<void> {
  for (const path of paths) await (await platform.request(path)).arrayBuffer();
  platform.application.sharedState.find(ServiceHistory)?.sample();
}

/** With motion: without it, the dashboard updates itself on request only. */
async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await pageOfAda(browser, platform, { reducedMotion: 'no-preference', ...options });
  await page.goto(`${platform.origin}/platform/admin`);
  return page;
}

describe('The dashboard in a browser', () => {
  it('has no accessibility violations and fits every window, in light and dark', async () => {
    await send('/v1/atlas/countries/DE', '/v1/atlas/countries/XX', '/v1/nothing');
    const page = await open();
    await page.locator('#service-table summary').click();
    expect(await audit(page)).toEqual([]);
    await page.context().close();
  });

  it('fits the narrowest window with the text spacing of WCAG 1.4.12', async () => {
    await send('/v1/atlas/countries/DE', '/v1/nothing');
    const page = await open({ viewport: { width: 320, height: 640 }, bypassCSP: true });
    await page.addStyleTag({
      content:
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.context().close();
  });

  it('distinguishes the series of a chart without colours', async () => {
    await send('/v1/atlas/countries/DE', '/v1/nothing');
    const page = await open({ forcedColors: 'active' });
    const charts = await page.locator('.chart-values').evaluateAll((tables) =>
      tables.map((table) =>
        [...table.querySelectorAll('.swatch path')].map((line) => {
          const { stroke, strokeDasharray } = getComputedStyle(line);
          return `${stroke} ${strokeDasharray}`;
        }),
      ),
    );
    expect(charts.map((lines) => lines.length)).toEqual([3, 2, 3, 1, 2, 2]);
    for (const lines of charts) expect(new Set(lines).size).toBe(lines.length);
    await page.context().close();
  });

  it('updates itself, and keeps what is open', async () => {
    const page = await open();
    await page.locator('#service-table summary').click();
    await page.locator('h1').click();
    await send('/v1/atlas/countries/new-error');
    await page.getByText('/v1/atlas/countries/new-error').waitFor({ timeout: 60_000 });
    expect(await page.locator('#service-table').getAttribute('open')).toBe('');
    await page.context().close();
  });

  it('continues its updates after a proxy has said that the service restarts', async () => {
    const page = await open();
    let isRestarting = true;
    await page.route(/\/dashboard\?/, (route) => {
      if (!isRestarting) return route.continue();
      isRestarting = false;
      return route.fulfill({ status: 503 });
    });
    for (const status of [503, 200])
      await page.waitForResponse((one) => one.url().includes('/dashboard?') && one.status() === status, {
        timeout: 60_000,
      });
    expect(await page.getByRole('button', { name: 'Pause updates' }).count()).toBe(1);
    await page.context().close();
  });

  it('stops updates on request, and with reduced motion until they are requested', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const page = await open({ reducedMotion });
      const requests: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/dashboard?')) requests.push(request.url());
      });
      if (reducedMotion === 'no-preference')
        await page.getByRole('button', { name: 'Pause updates' }).click();
      await page.waitForTimeout(6_000);
      expect(requests).toEqual([]);
      await page.getByRole('button', { name: 'Resume updates' }).click();
      await page.waitForRequest(/\/dashboard\?range=15$/, { timeout: 60_000 });
      await page.context().close();
    }
  });

  it('shows the values of a chart below the pointer', async () => {
    await send('/v1/atlas/countries/DE');
    const page = await open();
    await page.getByRole('button', { name: 'Pause updates' }).click();
    const chart = page.locator('svg.chart').first();
    // The latest value: earlier ones exist only if the service has run for long enough.
    const x = await chart.evaluate((svg: SVGSVGElement) => {
      const points = JSON.parse(svg.dataset.points ?? '') as { readonly x: readonly number[] };
      return ((points.x.at(-1) ?? 0) * svg.getBoundingClientRect().width) / svg.viewBox.baseVal.width;
    });
    await chart.hover({ position: { x, y: 40 } });
    expect(await page.locator('.chart-note').innerText()).toMatch(/^[\d:]+ [AP]M: OK [\d.]+\/s, 4xx/);
    await page.locator('h1').hover();
    expect(await page.locator('.chart-note').count()).toBe(0);
    await page.context().close();
  });

  it('is complete without scripts', async () => {
    const page = await open({ javaScriptEnabled: false });
    expect(await page.locator('svg.chart').count()).toBe(6);
    expect(await page.getByRole('button', { name: 'Pause updates' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: '5 minutes', exact: true }).click();
    expect(await page.locator('.ranges [aria-current]').innerText()).toBe('5 minutes');
    await page.context().close();
  });
});
