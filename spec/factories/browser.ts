import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { executableOf } from './programs';

declare global {
  interface Window {
    /** There when its source was evaluated in the page. */
    readonly axe: typeof axe;
  }
}

/** The Chromium of this machine. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executableOf('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** What axe-core has to complain about in a page, with the elements concerned. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const results = await window.axe.run();
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}
