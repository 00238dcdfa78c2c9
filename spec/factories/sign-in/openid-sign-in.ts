import { type CookieBrowser, locationOf } from '../browser/cookie-browser';

/** Signs in at the provider, up to the redirect to the callback. @returns the URL of the callback */
export async function signInAtProvider(browser: CookieBrowser, start: string, name: string): Promise<URL> {
  const isCallback = ({ pathname }: URL): boolean => pathname.endsWith('/sign-in/callback');
  const form = await browser.follow(await browser.get(start), isCallback);
  const known = locationOf(form);
  // The provider still knows the user.
  if (known !== undefined) return known;
  if (form.status !== 200) throw new Error(`${form.status}: ${await form.text()}`);
  const callback = locationOf(await browser.follow(await browser.post(form.url, { name }), isCallback));
  if (callback === undefined) throw new Error('The provider does not redirect to the callback.');
  return callback;
}

/** Signs in with the form of the provider. @returns the response of the callback */
export async function completeSignIn(browser: CookieBrowser, start: string, name: string): Promise<Response> {
  return await browser.get(await signInAtProvider(browser, start, name));
}

/** Signs in, to return to a page. @param target path of the page */
export async function signInAs(
  browser: CookieBrowser,
  origin: string,
  name: string,
  target: string,
): Promise<Response> {
  const start = `${origin}/platform/sign-in?return=${encodeURIComponent(target)}`;
  return await completeSignIn(browser, start, name);
}
