// The page of an API with 1,220 operations in Chromium, on a processor that is slowed down to a quarter.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { description } from '../../contract/github/description.mjs';
import { median } from '../measure/rounds.mjs';
import { Servers } from '../measure/servers.mjs';
import { built } from '../platform/project.mjs';
import { table } from '../report/table.mjs';
import { largeConfiguration } from '../sample/large.mjs';

/** Targets: milliseconds until the page responds to input, and bytes of HTML. */
const MAX_INTERACTIVE = 2000;
const MAX_BYTES = 300_000;

const SLOWDOWN = 4;
/** The page is interactive if no task blocks it for this long, in milliseconds. */
const QUIET = 2000;

const BROWSERS = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The API of GitHub as the import writes it, or a small one. */
async function configuration(short) {
  if (short) return { name: 'Large', config: largeConfiguration(20) };
  const { file } = await description();
  const { importOpenapi } = createRequire(import.meta.url)(
    path.join(built, 'dist/modules/documentation-import/index.js'),
  );
  const { api } = importOpenapi({ text: readFileSync(file, 'utf8'), name: 'GitHub' }, 1);
  return { name: 'GitHub', config: { 'platform-hosting': { apis: { GitHub: api } } } };
}

/** Loads a page in a new profile. @returns times in milliseconds since the start of the navigation */
async function load(browser, url, quiet) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.addInitScript({
      content: `globalThis.blocked = 0;
        new PerformanceObserver((list) => {
          for (const { startTime, duration } of list.getEntries()) blocked = Math.max(blocked, startTime + duration);
        }).observe({ type: 'longtask', buffered: true });`,
    });
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(quiet);
    const times = await page.evaluate(`(() => {
      const [{ domContentLoadedEventEnd }] = performance.getEntriesByType('navigation');
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      return { painted: paint?.startTime ?? 0, interactive: Math.max(domContentLoadedEventEnd, blocked) };
    })()`);
    const pressed = performance.now();
    await page.keyboard.press('/');
    await page.locator('dialog.search[open]').waitFor();
    return { ...times, answered: performance.now() - pressed };
  } finally {
    await context.close();
  }
}

async function measureLoads(executablePath, url, { times, quiet }) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const loads = [];
    for (let time = 0; time < times; time++) loads.push(await load(browser, url, quiet));
    const medianOf = (name) => Math.round(median(loads.map((one) => one[name])));
    return {
      painted: medianOf('painted'),
      interactive: medianOf('interactive'),
      answered: medianOf('answered'),
    };
  } finally {
    await browser.close();
  }
}

export default {
  name: 'reading',
  title: `Reading documentation, Chromium with 1/${SLOWDOWN} of the processor`,
  /** @param {import('../measure/options.mjs').Options} options */
  async measure(options) {
    const { short } = options;
    const executable = BROWSERS.find((file) => file !== undefined && existsSync(file));
    if (executable === undefined) {
      if (process.env.CI === 'true')
        throw new Error('Chromium is not installed. CHROMIUM may contain its path.');
      return { text: 'Not measured: Chromium is not installed.', verdicts: [], failed: 0 };
    }
    const servers = new Servers(options);
    try {
      const { name, config } = await configuration(short);
      const { port } = await servers.sample(
        {},
        { 'config/autoload/large.global.json': JSON.stringify(config) },
      );
      const url = `http://127.0.0.1:${port}/platform/documentation/${name}-v1`;
      const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
      const bytes = brotliCompressSync(html).length;
      const figures = await measureLoads(
        executable,
        url,
        short ? { times: 1, quiet: 0 } : { times: 5, quiet: QUIET },
      );
      const { painted, interactive, answered } = figures;
      return {
        text: table([
          {
            page: `${html.match(/class="method /g)?.length ?? 0} operations`,
            'HTML, compressed': `${Math.round(bytes / 1000)} kB`,
            'first paint, ms': painted,
            'interactive, ms': interactive,
            'search opens, ms': answered,
          },
        ]),
        verdicts: [
          {
            workload: 'Documentation of 1,220 operations in Chromium',
            target: `≤ ${MAX_BYTES / 1000} kB, interactive ≤ ${MAX_INTERACTIVE} ms`,
            ours: `${Math.round(bytes / 1000)} kB, ${interactive} ms`,
            'best peer': '',
            met: bytes <= MAX_BYTES && interactive <= MAX_INTERACTIVE ? 'yes' : 'no',
          },
        ],
        failed: 0,
      };
    } finally {
      await servers.stop();
    }
  },
};
