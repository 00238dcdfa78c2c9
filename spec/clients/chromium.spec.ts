import type { Browser } from 'playwright-core';
import { USER } from './challenges';
import { chromiumClient, fetchFrom, pageOf, startChromium } from './chromium';
import { forEachChallenge, testSignIn } from './sign-in';
import { withPrograms } from '../factories/processes/programs';

const { describe } = withPrograms('chromium');

describe('Chromium', () => {
  let browser: Browser;
  beforeAll(async () => (browser = await startChromium()), 60_000);
  afterAll(() => browser.close());

  forEachChallenge((challenge, guarded) => {
    testSignIn([chromiumClient(() => browser)], challenge, guarded);

    it('sends eight concurrent requests after it signed in, and is not challenged again', async () => {
      const { visits } = guarded();
      const page = await pageOf(browser, USER);
      await page.goto(visits);
      const devtools = await page.context().newCDPSession(page);
      const answered: number[] = [];
      devtools.on('Network.responseReceivedExtraInfo', ({ statusCode }) => answered.push(statusCode));
      await devtools.send('Network.enable');
      // Different URLs: the browser's cache would request one URL once.
      const addresses = Array.from({ length: 8 }, (_, index) => `${visits}?page_size=${index + 1}`);
      const answers = await Promise.all(addresses.map((url) => fetchFrom(page, { method: 'GET', url })));
      await page.context().close();
      expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 200));
      // The page's missing icon may be among them.
      expect(answered.filter((status) => status !== 404)).toEqual(addresses.map(() => 200));
    });
  });
});
