import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../platform';
import { launchBrowser } from './browser';

/**
 * Starts the sample and a browser for the tests of a file, with a page for each test, which fails if that has reported an
 * error. What it returns exists in the tests only.
 */
export function useDocumentationBrowser(options: BrowserContextOptions = {}) {
  let platform: TestPlatform;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    platform = await startTestPlatform({ local: sampleAuthentication });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await platform.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    page = await context.newPage();
    errors = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
  });
  afterEach(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  return {
    get platform() {
      return platform;
    },
    get browser() {
      return browser;
    },
    get context() {
      return context;
    },
    get page() {
      return page;
    },
    /** Opens a page of the documentation. @param below its path, such as `/Atlas-v2` */
    open: async (below: string) => {
      await page.goto(`${platform.origin}/platform/documentation${below}`, { waitUntil: 'networkidle' });
    },
    /** Forgets errors so far that the test has caused. */
    ignoreErrors: (pattern: RegExp) => {
      errors = errors.filter((text) => !pattern.test(text));
    },
  };
}
