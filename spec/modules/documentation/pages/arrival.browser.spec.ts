import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../factories/browser/browser';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { describe, it } = withPrograms('chromium');

setTestTimeout(120);

/** In the bar, and between the versions in the sidebar. */
const BREAKS = ['<div class="controls">', '>v1</a>'];

/** Writes shifts of the bar or the sidebar to the title of the root element. */
const OBSERVE_SHIFTS = `new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (entry.sources.some(({ node }) => node?.parentElement?.closest('.bar, .sidebar')))
      document.documentElement.title += JSON.stringify(entry);
}).observe({ type: 'layout-shift', buffered: true });`;

/** Sends a text in parts, with pauses that are long enough for a browser to render what it has. */
async function sendInParts(text: string, response: ServerResponse): Promise<void> {
  let rest = text;
  for (const end of BREAKS) {
    const at = rest.indexOf(end);
    if (at < 0) continue;
    response.write(rest.slice(0, at + end.length));
    rest = rest.slice(at + end.length);
    await sleep(500);
  }
  response.end(rest);
}

describe('A page that arrives in parts', () => {
  let platform: TestPlatform;
  let browser: Browser;
  let slow: Server;
  beforeAll(async () => {
    platform = await startTestPlatform({ local: sampleAuthentication });
    browser = await launchBrowser();
    slow = createServer((request, response) => {
      void platform
        .request(request.url ?? '/', { headers: { accept: request.headers.accept ?? '*/*' } })
        .then(async (answer) => {
          const type = answer.headers.get('content-type') ?? '';
          response.writeHead(answer.status, { 'content-type': type });
          if (type.startsWith('text/html')) return sendInParts(await answer.text(), response);
          response.end(Buffer.from(await answer.arrayBuffer()));
        });
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
  });
  afterAll(async () => {
    await browser.close();
    slow.close();
    await platform.stop();
  });

  it.each(['/Atlas-v2/Visit', '/Atlas'])('never moves its navigation: %s', async (below) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript({ content: OBSERVE_SHIFTS });
    const { port } = slow.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/platform/documentation${below}`, { waitUntil: 'networkidle' });
    await page.locator('[data-theme-switch] [aria-pressed=true]').waitFor();
    expect(await page.evaluate(() => document.documentElement.title)).toBe('');
    await page.close();
  });
});
