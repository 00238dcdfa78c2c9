import type { Browser, Page } from 'playwright-core';
import { startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { pageOfAda } from '../../../factories/admin/admin-browser';
import { largeApi } from '../../../factories/documents/large-api';
import { sampleAuthentication } from '../../../factories/platform';
import { launchBrowser } from '../../../factories/browser/browser';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(120);

let platform: AdminPlatform;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const files = { 'config/autoload/large.global.json': JSON.stringify(largeApi(60, 3)) };
  platform = await startAdminPlatform({ files, local: sampleAuthentication });
  browser = await launchBrowser();
  page = await pageOfAda(browser, platform, { viewport: { width: 1024, height: 768 } });
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

describe('At 1024 pixels', () => {
  it.each([
    '',
    '/access-map',
    '/adapters',
    '/apis',
    '/apis/Large-v1',
    '/apis/Large-v1/authorization',
    '/configuration',
    '/configuration?at=/platform-hosting/apis/Large/versions/1/services/Service7',
    '/listeners',
    '/password-files',
    '/selectors/Documentation',
  ])('the page %s fits, and so do its tables', async (below) => {
    await page.goto(`${platform.origin}/platform/admin${below}`);
    const wide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const tables = [...document.querySelectorAll('table')];
      const right = Math.max(0, ...tables.map((table) => table.getBoundingClientRect().right));
      return { page: scrollWidth - clientWidth, tables: Math.max(0, Math.floor(right - clientWidth)) };
    });
    expect(wide).toEqual({ page: 0, tables: 0 });
  });
});

describe('The tables of APIs on the overview', () => {
  it.each([1024, 1120, 1190, 1280])('has no broken words at %d pixels', async (width) => {
    await page.setViewportSize({ width, height: 768 });
    await page.goto(`${platform.origin}/platform/admin`);
    const broken = await page.evaluate(() => {
      const found: string[] = [];
      const cells = document.querySelectorAll(
        'section:is([aria-labelledby=apis], [aria-labelledby=health]) :is(th, td)',
      );
      for (const cell of cells) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
          if (node.parentElement?.closest('.hidden') !== null) continue;
          for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s-]+/g)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (range.getClientRects().length > 1) found.push(word);
          }
        }
      }
      return found;
    });
    expect(broken).toEqual([]);
  });
});

describe('Tables as cards', () => {
  it.each(['', '/administrators', '/audit'])('have no broken words in the labels of %s', async (below) => {
    await page.setViewportSize({ width: 320, height: 768 });
    await page.goto(`${platform.origin}/platform/admin${below}`);
    const broken = await page.evaluate(() => {
      const pen = document.createElement('canvas').getContext('2d');
      return [...document.querySelectorAll<HTMLElement>('td[data-label]')].flatMap((cell) => {
        if (pen === null || getComputedStyle(cell).display !== 'grid') return [];
        pen.font = getComputedStyle(cell, '::before').font;
        const room = parseFloat(getComputedStyle(cell).gridTemplateColumns);
        return (cell.dataset.label ?? '').split(' ').filter((word) => pen.measureText(word).width > room);
      });
    });
    expect([...new Set(broken)]).toEqual([]);
  });
});
