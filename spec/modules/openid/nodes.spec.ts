import type { TestPlatform } from '../../factories/platform';
import { ADMIN } from '../../factories/admin/admin';
import { CookieBrowser } from '../../factories/browser/cookie-browser';
import { OpenidTestProvider } from '../../factories/sign-in/openid-provider';
import { signInAtProvider } from '../../factories/sign-in/openid-sign-in';
import { ALL_MODULES, startTestPlatform } from '../../factories/platform';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';
import { setTestTimeout } from '../../factories/test-timeout';

setTestTimeout(60);

const { describe, it } = withPrograms('redis-server');

let redis: RedisServer;
let provider: OpenidTestProvider;
let nodes: readonly [TestPlatform, TestPlatform];

beforeEach(async () => {
  redis = await RedisServer.start();
  provider = await OpenidTestProvider.create();
  const project = {
    modules: ['cluster', ...ALL_MODULES, 'openid', 'admin'],
    local: {
      'platform-cluster': { redis: { url: redis.url }, deployment_key: 'k'.repeat(32) },
      ...provider.settings(),
    },
  };
  nodes = [await startTestPlatform(project), await startTestPlatform(project)];
  await provider.start({ origins: nodes.map(({ origin }) => origin) });
});
afterEach(async () => {
  for (const node of nodes) await node.stop();
  await provider.stop();
  await redis.close();
});

/** The request of a browser with the cookies of the first node, at the second. */
async function atSecond(browser: CookieBrowser, path: string, init: RequestInit = {}): Promise<Response> {
  const [first, second] = nodes;
  const Cookie = browser.cookiesFor(new URL(first.origin + path));
  return await fetch(second.origin + path, { redirect: 'manual', ...init, headers: { Cookie } });
}

describe('A sign-in at two nodes behind a balancer', () => {
  it('starts at one and is completed at the other, once', async () => {
    const browser = new CookieBrowser();
    const start = `${nodes[0].origin}/platform/sign-in?return=${ADMIN}`;
    const { pathname, search } = await signInAtProvider(browser, start, 'ada');
    const cookie = browser.cookiesFor(new URL(`${nodes[0].origin}${pathname}`));
    const completed = await atSecond(browser, pathname + search);
    expect(completed.status).toBe(200);
    const session = completed.headers.getSetCookie().find((line) => line.startsWith('platform_admin='));
    for (const { origin } of nodes) {
      const Cookie = session?.split(';', 1)[0] ?? '';
      const response = await fetch(origin + ADMIN, { redirect: 'manual', headers: { Cookie } });
      expect(response.status).toBe(200);
    }
    const replayed = await fetch(nodes[0].origin + pathname + search, { headers: { Cookie: cookie } });
    expect(replayed.status).toBe(400);
    expect(replayed.headers.getSetCookie().join()).not.toContain('platform_admin');
  });

  it('is known to both for the documentation', async () => {
    const browser = new CookieBrowser();
    const start = `${nodes[0].origin}/platform/sign-in?return=/platform/documentation`;
    await browser.get(await signInAtProvider(browser, start, 'vera'));
    const response = await atSecond(browser, '/platform/sign-in/session');
    expect(await response.json()).toEqual({ name: 'vera' });
  });
});
