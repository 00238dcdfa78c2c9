import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { ADMIN, type AdminPlatform } from './admin';

/** A page of a browser in which ada is signed in. */
export async function pageOfAda(
  browser: Browser,
  { ada, origin }: AdminPlatform,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  const [name = '', value = ''] = (ada.cookie ?? '').split('=');
  await context.addCookies([{ name, value, url: origin }]);
  return context.newPage();
}

/** A user of the admin pages: finds what a person sees, and acts like a person. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #origin: string;

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    this.#origin = origin;
  }

  static async open(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(15_000);
    return new Visitor(context, await context.newPage(), origin);
  }

  /** @param below the admin's path, such as `/adapters` */
  async go(below: string): Promise<void> {
    await this.page.goto(`${this.#origin}${ADMIN}${below}`);
  }

  /** By the labels of the fields. */
  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    const main = this.page.locator('main');
    for (const [label, value] of Object.entries(fields))
      await main.getByLabel(label, { exact: true }).fill(value);
  }

  /** @param region the name of the section, for a button that a page has several times */
  async press(button: string, region?: string): Promise<void> {
    const main = this.page.locator('main');
    const within = region === undefined ? main : main.getByRole('region', { name: region, exact: true });
    await within.getByRole('button', { name: button, exact: true }).click();
  }

  async follow(link: string): Promise<void> {
    await this.page.locator('main').getByRole('link', { name: link, exact: true }).click();
  }

  /** Submits a form, reviews the difference, and saves it. @returns the difference */
  async save(button: string, region?: string): Promise<string> {
    await this.press(button, region);
    const difference = await this.page.locator('.difference').first().innerText();
    await this.press('Save changes');
    return difference;
  }

  async heading(): Promise<string> {
    return this.page.locator('h1').innerText();
  }

  /** Returns the confirmation on the page. */
  async confirmation(): Promise<string> {
    return this.page.getByRole('status').first().innerText();
  }

  async text(): Promise<string> {
    return this.page.locator('main').innerText();
  }

  async signIn(name: string, password: string): Promise<void> {
    await this.go('/sign-in');
    await this.fill({ Name: name, Password: password });
    await this.press('Sign in');
  }
}
