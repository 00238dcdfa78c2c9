import type { Locator, Page } from 'playwright-core';

/** Opens the console of an operation. @param url of its page @param id of the operation */
export async function openConsoleAt(page: Page, url: string, id: string): Promise<Locator> {
  // The scripts of the page have run when it is loaded.
  if (page.url() !== url) await page.goto(url);
  const place = page.locator(`#${id} .console`);
  await place.getByRole('button', { name: 'Try it' }).click();
  await place.getByRole('button', { name: 'Send' }).waitFor();
  return place;
}

/** Sends the request of a console. @returns the status of the response */
export async function send(place: Locator): Promise<string> {
  await place.getByRole('button', { name: 'Send' }).click();
  await place.page().waitForTimeout(50);
  await place.locator('.answer[aria-busy=false] .answer-status').waitFor();
  return place.locator('.answer-status').innerText();
}

export async function signIn(place: Locator, password = 'explore'): Promise<void> {
  await place.getByLabel('User').fill('guide');
  await place.getByLabel('Password').fill(password);
}
