import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { executableOf } from './programs';

declare global {
  interface Window {
    /** Defined once its source was evaluated in the page. */
    readonly axe: typeof axe;
  }
}

/** The installed Chromium. */
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

/** The axe-core violations of a page, with the elements concerned. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const results = await window.axe.run();
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}
