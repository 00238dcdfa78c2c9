import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { executableOf } from '../processes/programs';

declare global {
  interface Window {
    /** Defined once its source was evaluated in the page. */
    readonly axe: typeof axe;
  }
}

/** Milliseconds that a browser waits for anything; in CI, also on a busy machine. */
const TIMEOUT_MS = process.env.CI === 'true' ? 90_000 : 30_000;

/** The installed Chromium, headless. Without animations unless a test says otherwise. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: executableOf('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    // A click may miss a button that smooth scrolling moves, and axe measures the contrast of the current colours.
    const context = await newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(TIMEOUT_MS);
    return context;
  };
  return browser;
}

/**
 * The axe-core violations of a page, with the elements concerned.
 * @param rules defaults to all
 */
export async function violations(page: Page, rules?: string[]): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (runOnly) => {
    // Colours in transition have other contrasts.
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
    const results = await window.axe.run(document, {
      resultTypes: ['violations'],
      ...(runOnly === undefined ? {} : { runOnly }),
    });
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, rules);
}

/** What depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Widths of windows, and the colour schemes that each is looked at in. */
export type Screens = readonly (readonly [width: number, ...schemes: ('light' | 'dark')[]])[];

const SCREENS: Screens = [
  [390, 'light', 'dark'],
  [1440, 'light', 'dark'],
];

/** Telephones, small and large windows. */
export const EVERY_SCREEN: Screens = [
  [390, 'light', 'dark'],
  [1024, 'light', 'dark'],
  [1440, 'light', 'dark'],
];

/**
 * Resizes and recolours a loaded page, which takes a fraction of the time of loading it for each screen.
 * @returns the axe-core violations and the overflow, each with the screen where it was found
 */
export async function audit(page: Page, screens = SCREENS): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [width, ...schemes] of screens) {
    await page.setViewportSize({ width, height: 900 });
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (excess > 0) found.push(`${width}: ${excess} px wider than the window`);
    for (const [at, colorScheme] of schemes.entries()) {
      await page.emulateMedia({ colorScheme });
      // The schemes differ in colours only.
      for (const one of await violations(page, at === 0 ? undefined : COLOUR_RULES))
        found.push(`${width} ${colorScheme}: ${one}`);
    }
  }
  return found;
}
