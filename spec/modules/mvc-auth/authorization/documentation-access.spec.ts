import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';
import type { ConfigObject } from '../../../../src/platform';

let platform: TestPlatform;
afterEach(() => platform.stop());
const start = async (authorization: ConfigObject, map: ConfigObject): Promise<void> => {
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
    extra: [new ClubModule()],
    files: CLUB_FILES,
    local: authentication(CLUB_ADAPTERS, map, authorization),
  });
};
const BASE = '/platform/documentation';
const ask = (path: string, user?: string, accept = 'application/json'): Promise<Response> =>
  platform.request(`${BASE}${path}`, {
    headers: { Accept: accept, ...(user === undefined ? {} : { Authorization: basic(user, PASSWORD) }) },
  });

describe('documentation that requires a user', () => {
  const closed = { '@documentation': 'authenticated' };

  it('challenges guests, for the list, an API and a service, in every format', async () => {
    await start(closed, { '@documentation': 'basic', Club: 'basic' });
    for (const path of ['', '/Club', '/Club-v1/Hall', '/Annex'])
      for (const accept of ['application/json', 'text/html', 'application/vnd.apidesc+json']) {
        const answer = await ask(path, undefined, accept);
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
        expect((await ask(path, 'bob', accept)).status).toBe(200);
      }
  });

  it('challenges guests at every other resource about all APIs', async () => {
    await start(closed, { '@documentation': 'basic' });
    for (const path of ['/.well-known/api-catalog', '/platform/search?q=club']) {
      const guest = await platform.request(path);
      expect(guest.status).toBe(401);
      expect(guest.headers.get('www-authenticate')).toMatch(/^Basic /);
      const user = await platform.request(path, { headers: { Authorization: basic('bob', PASSWORD) } });
      expect(user.status).toBe(200);
      expect(user.headers.get('vary')).toContain('Authorization');
      expect(user.headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  it('does not reveal to guests which resources exist', async () => {
    await start(closed, { '@documentation': 'basic', Club: 'basic' });
    for (const path of ['/Clubb', '/Club-v7', '/Club/Hal']) {
      const guest = await ask(path);
      expect(guest.status).toBe(401);
      expect(Object.keys((await guest.json()) as object)).toEqual(['type', 'title', 'status', 'detail']);
      expect((await ask(path, 'bob')).status).toBe(404);
    }
  });

  it('may be restricted to some users', async () => {
    await start({ '@documentation': ['ada'] }, { '@documentation': 'basic' });
    expect((await ask('', 'ada')).status).toBe(200);
    expect((await ask('', 'bob')).status).toBe(403);
    expect((await ask('/Club', 'bob')).status).toBe(403);
    expect((await ask('/nope', 'bob')).status).toBe(403);
  });

  it("uses the adapter of the list for APIs without one, and otherwise the API's own", async () => {
    await start(closed, { '@documentation': 'basic', Club: 'digest' });
    expect((await ask('/Annex')).headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await ask('/Club')).headers.get('www-authenticate')).toMatch(/^Digest /);
  });

  it('is closed to everyone without an adapter, and warns the operator', async () => {
    await start(closed, { Club: 'basic' });
    expect((await ask('')).status).toBe(403);
    expect((await ask('/Club', 'bob')).status).toBe(200);
    expect(platform.application.warnings).toContainEqual(
      expect.stringContaining('no adapter is mapped to "@documentation"'),
    );
  });

  it('does not change access to the operations', async () => {
    await start(closed, { '@documentation': 'basic', Club: 'basic' });
    expect((await platform.request('/club/hall')).status).toBe(200);
  });
});

describe('documentation without a rule of its own', () => {
  it('is open to guests, whatever the rules of its API and the default for operations', async () => {
    await start({ deny_by_default: true, Club: { Hall: { GET: ['ada'] } } }, { Club: 'basic' });
    for (const path of ['', '/Club', '/Club/Hall']) expect((await ask(path)).status).toBe(200);
    expect((await ask('/Clubb')).status).toBe(404);
  });
});
