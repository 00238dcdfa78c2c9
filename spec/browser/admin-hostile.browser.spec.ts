import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { ConfigObject } from '../../src/framework';
import {
  ADMIN,
  PASSWORD,
  startAdminPlatform,
  WITH_ADMIN,
  type AdminPlatform,
} from '../factories/admin/admin';
import { Visitor } from '../factories/admin/admin-browser';
import { launchBrowser } from '../factories/browser/browser';
import { crawl, sendAll, type SubmittedForm } from '../factories/admin/admin-crawl';
import { BearerModule } from '../fixtures/bearer-module';
import { withPrograms } from '../factories/processes/programs';
import { setTestTimeout } from '../factories/test-timeout';

const { describe } = withPrograms('chromium');

setTestTimeout(240);

/** Becomes an element if it is interpreted as markup, also in an attribute, and text if it is evaluated as a template. */
const HOSTILE = `"'><b data-hostile onmouseover=hacked()>{{ 7*7 }}</b><script>hacked()</script>`;

/** Matches no password: only the user name matters. */
const line = `${HOSTILE}:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n`;

/** Every name that users can choose is hostile. */
const hostile: ConfigObject = {
  'platform-mvc-auth': {
    authentication: {
      adapters: {
        [HOSTILE]: {
          adapter: 'HttpAdapter',
          options: {
            accept_schemes: ['basic'],
            realm: HOSTILE.replace('"', ''),
            htpasswd: 'data/own.htpasswd',
          },
        },
      },
      map: { 'Atlas-v1': HOSTILE },
    },
    authorization: { 'Atlas-v1': { Country: { collection: { GET: [HOSTILE] } } } },
  },
  'platform-hosting': { apis: { Atlas: { description: HOSTILE } } },
};

let browser: Browser;
let platform: AdminPlatform;
let ada: Visitor;
beforeAll(async () => {
  browser = await launchBrowser();
  platform = await startAdminPlatform({
    modules: WITH_ADMIN,
    local: hostile,
    extra: [new BearerModule()],
    files: { 'data/own.htpasswd': line },
  });
  await platform.ada.save('/administrators', { name: HOSTILE, password: PASSWORD, again: PASSWORD });
  symlinkSync('/etc', path.join(platform.root, 'data/etc'));
  symlinkSync('/etc/passwd', path.join(platform.root, 'data/link.htpasswd'));
  // Without the Content-Security-Policy, so that injected scripts would run.
  ada = await Visitor.open(browser, platform.origin, { bypassCSP: true });
  await ada.signIn('ada', PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await platform.stop();
});

describe('Hostile text', () => {
  /** Before anything is submitted. */
  let crawled: ReturnType<typeof crawl> | undefined;
  const pagesBefore = (): ReturnType<typeof crawl> => (crawled ??= crawl(ada.page));

  it('is displayed as text on every page, in every name', async () => {
    const pages = await pagesBefore();
    const results = [...pages].map(([name, { markup, status }]) => ({ name, markup, status }));
    expect(results.length).toBeGreaterThan(50);
    expect(results.filter(({ markup, status }) => markup.length > 0 || status >= 400)).toEqual([]);
  });

  it('is displayed as text in every form field, stored or not', async () => {
    const pages = [...(await pagesBefore()).keys()].filter((page) => page.startsWith(ADMIN));
    const sent: SubmittedForm[] = [];
    for (const page of pages) sent.push(...(await sendAll(ada.page, page, HOSTILE)));
    expect(sent.length).toBeGreaterThan(30);
    expect(sent.filter(({ isSaved }) => isSaved).length).toBeGreaterThan(2);
    expect(sent.filter(({ markup, status }) => markup.length > 0 || status >= 500)).toEqual([]);
    const after = await crawl(ada.page);
    expect([...after].filter(([, { markup, status }]) => markup.length > 0 || status >= 500)).toEqual([]);
  });

  it('is displayed as text by scripts while the user types', async () => {
    await ada.go('/selectors/Documentation');
    await ada.page.fill('#accept', HOSTILE);
    await ada.page.waitForURL(/accept=%22/);
    await expectNoMarkup();
    await ada.go('/apis/Atlas-v1/texts');
    await ada.page.fill('#description', `${HOSTILE} [x](javascript:hacked()) ![x](x" onerror="hacked())`);
    await ada.page.waitForSelector('#description-preview :text("data-hostile")');
    await expectNoMarkup();
    expect(await ada.page.locator('#description-preview :is(img, [href^="javascript"])').count()).toBe(0);
    await ada.go('/adapters/new?type=digest');
    const looked = ada.page.waitForResponse((answer) => answer.request().method() === 'POST');
    await ada.fill({ Name: HOSTILE, Realm: HOSTILE, 'Digest file': `${HOSTILE}.none` });
    await (await looked).finished();
    await ada.page.waitForSelector('main :text("hacked()")');
    await expectNoMarkup();
  });

  async function expectNoMarkup(): Promise<void> {
    const found = ada.page.locator('[data-hostile], [onmouseover], script:not([src])');
    expect(await found.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML))).toEqual([]);
  }
});

describe('A file outside the project', () => {
  it.each(['../x', '/etc/passwd', 'data/../../x', 'data/etc/passwd', 'data/link.htpasswd', 'x\0y', '.'])(
    'cannot be created, shown or used: %j',
    async (file) => {
      const passwd = readFileSync('/etc/passwd', 'utf8');
      const { ada: client } = platform;
      const created = await client.save('/password-files', { kind: 'htpasswd', file });
      const shown = await client.get(`/password-files/users?file=${encodeURIComponent(file)}`);
      const user = { user: 'eve', password: PASSWORD, again: PASSWORD };
      const added = await client.save(`/password-files/users?file=${encodeURIComponent(file)}`, user);
      const adapter = { name: 'x', kind: 'HttpAdapter', '/options/accept_schemes': '"basic"' };
      const used = await client.post('/adapters/new?type=basic', {
        ...adapter,
        '/options/realm': 'x',
        '/options/htpasswd': file,
      });
      const answers = [created, shown, added, used];
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
      for (const answer of answers) expect(await answer.text()).not.toContain('root:');
      expect(readFileSync('/etc/passwd', 'utf8')).toBe(passwd);
    },
  );
});
