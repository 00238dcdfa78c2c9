import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import {
  adapter,
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';
import type { ConfigObject } from '../../../../src/platform';

const withRealm = (realm: string): ConfigObject =>
  adapter({ accept_schemes: ['basic'], realm, htpasswd: 'config/people.htpasswd' });
const realms = ['any', 'api', 'version', 'service', 'versions-service', 'list'];
const adapters: ConfigObject = Object.fromEntries(realms.map((realm) => [realm, withRealm(realm)]));

const project = (map: ConfigObject) => ({
  modules: [...HOSTING, 'documentation'],
  extra: [new ClubModule()],
  files: CLUB_FILES,
  local: authentication({ ...adapters, ...CLUB_ADAPTERS }, map),
});

describe('the adapter map', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform(
      project({
        '*': 'any',
        Club: 'api',
        'Club-v1': 'version',
        'Club/Hall': 'service',
        'Club-v1/Hall': 'versions-service',
        '@documentation': 'list',
      }),
    );
  });
  afterAll(() => platform.stop());

  /** The realm of the challenge after wrong credentials. */
  const realmAt = async (path: string): Promise<string | undefined> => {
    const answer = await platform.request(path, { headers: { Authorization: 'Basic wrong' } });
    return /realm="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1];
  };

  it.each([
    ['/v1/club/hall', 'versions-service', 'a service of a version before a service'],
    ['/v2/club/hall', 'service', 'a service before its API'],
    ['/v1/club/members', 'version', 'a version before its API'],
    ['/v2/club/members', 'api', 'an API before everything'],
    ['/club/members', 'api', 'the API of the default version where none is named'],
    ['/annex/door', 'any', 'everything else by the star'],
    ['/platform/documentation/Club-v1', 'version', "an API's documentation by its version's entry"],
    ['/platform/documentation/Club-v2/Hall', 'service', "a service's documentation by the service's entry"],
    ['/platform/documentation/Club-v2/Members', 'api', "that of a service without one by its API's entry"],
    ['/platform/documentation/Annex', 'any', 'the documentation of an API without an entry by the star'],
    ['/platform/documentation', 'list', 'the list of APIs by its own entry'],
  ])('guards %s with the adapter "%s": %s', async (path, realm) => {
    expect(await realmAt(path)).toBe(realm);
  });

  it('lets users read the documentation as well, and rejects others in JSON even when a page was requested', async () => {
    for (const path of ['', '/Club', '/Club-v1/Members', '/Annex']) {
      const read = (password: string): Promise<Response> =>
        platform.request(`/platform/documentation${path}`, {
          headers: { Authorization: basic('ada', password), Accept: 'text/html' },
        });
      expect((await read(PASSWORD)).status).toBe(200);
      const refused = await read('wrong');
      expect(refused.status).toBe(401);
      expect(refused.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  it('lets guests read the documentation', async () => {
    for (const path of ['', '/Club', '/Club-v1/Members', '/Annex'])
      expect((await platform.request(`/platform/documentation${path}`)).status).toBe(200);
  });
});

describe('an unmapped API', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform(project({ Annex: 'any' }))));
  afterAll(() => platform.stop());

  it.each(['/club/hall', '/platform/documentation', '/platform/documentation/Club'])(
    'ignores credentials at %s',
    async (path) => {
      const answer = await platform.request(path, { headers: { Authorization: 'Basic wrong' } });
      expect(answer.status).toBe(200);
    },
  );

  it('responds 403 without a challenge where a user is required, and warns the operator', async () => {
    const answer = await platform.request('/club/members');
    expect(answer.status).toBe(403);
    expect(answer.headers.has('www-authenticate')).toBe(false);
    expect(platform.application.warnings).toContainEqual(
      expect.stringContaining('Members, Board of Club-v1 require a user, but no adapter is mapped to them'),
    );
  });
});

describe('the platform does not start with an adapter map', () => {
  it.each([
    [
      'that names an adapter that is not configured',
      { Club: 'digset' },
      'map.Club: adapter "digset" does not exist. Available: any,',
    ],
    [
      'about an API that is not hosted',
      { Clubb: 'any' },
      'map.Clubb: API, version or service "Clubb" does not exist. Did you mean "Club"? Available: Club, Club-v1, Club-v2, Annex, Annex-v1',
    ],
    ['about an unknown version', { 'Club-v3': 'any' }, '"Club-v3" does not exist'],
    ['about an unknown service', { 'Club-v1/Door': 'any' }, '"Club-v1/Door" does not exist'],
    [
      'with Basic and Digest',
      { Club: ['digest', 'basic'] },
      'map.Club: Basic together with Digest lets clients choose the weaker scheme.',
    ],
    ['whose entry is not a name', { Club: 7 }, 'map.Club'],
  ])('%s', async (_what, map, message) => {
    const refusal = await startRefusal(project(map));
    expect(refusal).toContain(message);
    expect(refusal).toMatch(/config\/autoload\/local\.json:\d+/);
  });
});
