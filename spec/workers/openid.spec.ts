import { ADMIN } from '../factories/admin/admin';
import { CookieBrowser } from '../factories/browser/cookie-browser';
import { OpenidTestProvider } from '../factories/sign-in/openid-provider';
import { signInAs } from '../factories/sign-in/openid-sign-in';
import { ServerProcesses } from '../factories/processes/server-process';
import { workersProject } from '../factories/processes/workers';

const servers = new ServerProcesses();
jest.setTimeout(180_000);

const MODULES = ['admin', 'documentation', 'openid', 'operations'];

describe('signing in with OpenID Connect at a service with several workers', () => {
  let provider: OpenidTestProvider;
  let origin: string;
  beforeAll(async () => {
    provider = await OpenidTestProvider.create();
    const project = workersProject(provider.settings(), { modules: MODULES });
    origin = await servers.start(['--root', servers.project(project)]).origin();
    await provider.start({ origins: [origin] });
  });
  afterAll(async () => {
    servers.clear();
    await provider.stop();
  });

  /** Opens a page several times at once: over several connections, which the workers get in turn. */
  const open = (browser: CookieBrowser, path: string): Promise<readonly Response[]> =>
    Promise.all(Array.from({ length: 6 }, () => browser.get(origin + path)));

  it('signs administrators in, whichever worker gets their requests', async () => {
    const browser = new CookieBrowser();
    expect((await signInAs(browser, origin, 'ada', ADMIN)).status).toBe(200);
    const pages = await open(browser, `${ADMIN}/account`);
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('signs readers of the documentation in, whichever worker gets their requests', async () => {
    const browser = new CookieBrowser();
    expect((await signInAs(browser, origin, 'vera', '/platform/documentation')).status).toBe(200);
    for (const page of await open(browser, '/platform/sign-in/session'))
      expect(await page.json()).toEqual({ name: 'vera' });
  });
});
