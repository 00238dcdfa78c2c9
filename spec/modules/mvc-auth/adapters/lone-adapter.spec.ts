import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { CLUB_ADAPTERS, CLUB_FILES, ClubModule, PASSWORD } from '../../../fixtures/club-module';
import type { ConfigObject } from '../../../../src/platform';

let platform: TestPlatform;
afterEach(() => platform.stop());

async function start(
  adapters: ConfigObject,
  map?: ConfigObject,
  modules: readonly string[] = [],
): Promise<void> {
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc', ...modules],
    extra: [new ClubModule()],
    files: CLUB_FILES,
    local: {
      'platform-mvc-auth': { authentication: { adapters, ...(map === undefined ? {} : { map }) } },
    },
  });
}

const ask = (path: string, authorization?: string): Promise<Response> =>
  platform.request(path, authorization === undefined ? {} : { headers: { Authorization: authorization } });
const warnings = (): readonly string[] =>
  platform.application.warnings.filter((warning) => warning.includes('guards nothing'));

describe('one adapter without a map', () => {
  it('guards every API: credentials are verified, and guests stay guests', async () => {
    await start({ members: CLUB_ADAPTERS.digest });
    for (const path of ['/club/hall', '/v1/club/hall', '/annex/door']) {
      const refused = await ask(path, 'Digest garbage');
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain('Digest realm="Club"');
      expect((await ask(path)).status).toBe(200);
    }
    const closed = await ask('/club/members');
    expect(closed.status).toBe(401);
    expect(closed.headers.get('www-authenticate')).toContain('Digest realm="Club"');
    expect(warnings()).toEqual([]);
  });

  it('signs users in, and is documented', async () => {
    await start({ members: CLUB_ADAPTERS.basic });
    expect((await ask('/club/members', basic('ada', PASSWORD))).status).toBe(200);
    const answer = await platform.request('/platform/documentation/Club', {
      headers: { Accept: 'application/vnd.apidesc+json' },
    });
    expect(await answer.text()).toContain('"scheme":"basic"');
  });

  it('does not guard the documentation list, nor the admin, whose adapter is separate', async () => {
    await start({ members: CLUB_ADAPTERS.digest }, undefined, ['documentation-formats', 'admin']);
    expect((await ask('/platform/documentation', 'Digest garbage')).status).toBe(200);
    expect((await ask('/club/hall', 'Digest garbage')).status).toBe(401);
    const admin = await ask('/platform/admin/api/v1/adapters');
    expect(admin.headers.get('www-authenticate')).toContain('Basic realm="Administrators"');
    expect(warnings()).toEqual([]);
  });
});

describe('unused adapters', () => {
  it('are named in a warning when there are several', async () => {
    await start({ members: CLUB_ADAPTERS.digest, guests: CLUB_ADAPTERS.basic });
    expect((await ask('/club/hall', 'Digest garbage')).status).toBe(200);
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^config\/autoload\/local\.json:\d+.*the authentication adapter "members" guards nothing\./,
      ),
      expect.stringContaining('adapter "guests" guards nothing'),
    ]);
  });

  it('are named next to mapped ones, and when a map omits the only one', async () => {
    await start({ members: CLUB_ADAPTERS.digest, guests: CLUB_ADAPTERS.basic }, { Club: 'members' });
    expect(warnings()).toEqual([expect.stringContaining('adapter "guests" guards nothing')]);
    await platform.stop();
    await start({ members: CLUB_ADAPTERS.digest }, { '*': [] });
    expect((await ask('/club/hall', 'Digest garbage')).status).toBe(200);
    expect(warnings()).toEqual([expect.stringContaining('adapter "members" guards nothing')]);
  });
});
