import type { ConfigObject } from '../../../src/framework';
import { ADMIN, startAdminPlatform, type AdminPlatform } from '../../factories/admin/admin';
import { CookieBrowser } from '../../factories/browser/cookie-browser';
import { blocksOf } from '../../factories/documents/documents';
import { OpenidTestProvider } from '../../factories/sign-in/openid-provider';
import { signInAs } from '../../factories/sign-in/openid-sign-in';
import { setTestTimeout } from '../../factories/test-timeout';

setTestTimeout(60);

interface Configuration {
  readonly 'platform-openid': Readonly<Record<string, unknown>> & { readonly scopes?: readonly string[] };
}

const blocks = blocksOf('docs/guides/openid.md').filter(({ language }) => language === 'json');
const { modules } = JSON.parse(blocks[0]?.code ?? '') as { readonly modules: readonly string[] };
const configurations = blocks.slice(1).map(({ code }) => JSON.parse(code) as Configuration);

let provider: OpenidTestProvider;
let platform: AdminPlatform;
afterEach(async () => {
  await platform.stop();
  await provider.stop();
});

/** Starts the platform with a configuration of the guide, whose provider is the one of the tests. */
async function start(configuration: Configuration): Promise<void> {
  provider = await OpenidTestProvider.create();
  const settings = configuration['platform-openid'];
  const isPublic = settings.client_secret === undefined;
  const { client_secret } = provider.settings()['platform-openid'] as ConfigObject;
  platform = await startAdminPlatform({
    modules,
    local: {
      'platform-openid': {
        ...settings,
        issuer: provider.issuer,
        ...(isPublic ? {} : { client_secret }),
      },
    },
  });
  await provider.start({ origins: [platform.origin], isPublic });
}

if (configurations.length !== 3) throw new Error('The guide has another number of configurations.');

describe('The guide of OpenID Connect', () => {
  it.each(configurations.map((one) => [one['platform-openid'].issuer, one] as const))(
    'has a configuration that works: %s',
    async (_, configuration) => {
      await start(configuration);
      const { admin, documentation } = configuration['platform-openid'];
      if (admin !== undefined) {
        const browser = new CookieBrowser();
        expect((await signInAs(browser, platform.origin, 'ada', ADMIN)).status).toBe(200);
        expect((await browser.get(platform.origin + ADMIN)).status).toBe(200);
      }
      if (documentation === true) {
        const browser = new CookieBrowser();
        await signInAs(browser, platform.origin, 'ada', '/platform/documentation');
        const session: unknown = await (
          await browser.get(`${platform.origin}/platform/sign-in/session`)
        ).json();
        expect(session).toEqual({ name: expect.stringMatching(/^ada/) as string });
      }
      expect(platform.application.notices.map(({ target }) => target)).toContain(
        '/platform/sign-in/callback',
      );
    },
  );
});
