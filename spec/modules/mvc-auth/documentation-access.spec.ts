import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { basic } from '../../factories/requests';
import { HOSTING } from '../../factories/start-refusal';
import { authentication, CLUB_ADAPTERS, CLUB_FILES, ClubModule, PASSWORD } from '../../fixtures/club-module';
import type { ConfigObject } from '../../../src/platform';

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

describe('documentation that is for users', () => {
  const closed = { '@documentation': 'authenticated' };

  it('asks guests to sign in, for the list, an API and a service, in every format', async () => {
    await start(closed, { '@documentation': 'basic', Club: 'basic' });
    for (const path of ['', '/Club', '/Club-v1/Hall', '/Annex'])
      for (const accept of ['application/json', 'text/html', 'application/vnd.apidesc+json']) {
        const answer = await ask(path, undefined, accept);
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
        expect((await ask(path, 'bob', accept)).status).toBe(200);
      }
  });

  it('asks guests to sign in for what else tells of all APIs', async () => {
    await start(closed, { '@documentation': 'basic' });
    for (const path of ['/.well-known/api-catalog', '/platform/search.json']) {
      const guest = await platform.request(path);
      expect(guest.status).toBe(401);
      expect(guest.headers.get('www-authenticate')).toMatch(/^Basic /);
      const user = await platform.request(path, { headers: { Authorization: basic('bob', PASSWORD) } });
      expect(user.status).toBe(200);
      expect(user.headers.get('vary')).toContain('Authorization');
      expect(user.headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  it('tells guests nothing of what there is by what there is not', async () => {
    await start(closed, { '@documentation': 'basic', Club: 'basic' });
    for (const path of ['/Clubb', '/Club-v7', '/Club/Hal']) {
      const guest = await ask(path);
      expect(guest.status).toBe(401);
      expect(Object.keys((await guest.json()) as object)).toEqual(['type', 'title', 'status', 'detail']);
      expect((await ask(path, 'bob')).status).toBe(404);
    }
  });

  it('may be for some of them', async () => {
    await start({ '@documentation': ['ada'] }, { '@documentation': 'basic' });
    expect((await ask('', 'ada')).status).toBe(200);
    expect((await ask('', 'bob')).status).toBe(403);
    expect((await ask('/Club', 'bob')).status).toBe(403);
    expect((await ask('/nope', 'bob')).status).toBe(403);
  });

  it('signs in with the adapter of the list where an API has none, and with its own where it has one', async () => {
    await start(closed, { '@documentation': 'basic', Club: 'digest' });
    expect((await ask('/Annex')).headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await ask('/Club')).headers.get('www-authenticate')).toMatch(/^Digest /);
  });

  it('is closed to everyone where there is no way to sign in, and the operator is told so', async () => {
    await start(closed, { Club: 'basic' });
    expect((await ask('')).status).toBe(403);
    expect((await ask('/Club', 'bob')).status).toBe(200);
    expect(platform.application.warnings).toContainEqual(
      expect.stringContaining('no adapter is mapped to "@documentation"'),
    );
  });

  it('leaves the operations as they were', async () => {
    await start(closed, { '@documentation': 'basic', Club: 'basic' });
    expect((await platform.request('/club/hall')).status).toBe(200);
  });
});

describe('documentation without a rule of its own', () => {
  it('is open to guests, whatever the rules of what it is about, and the default for operations', async () => {
    await start({ deny_by_default: true, Club: { Hall: { GET: ['ada'] } } }, { Club: 'basic' });
    for (const path of ['', '/Club', '/Club/Hall']) expect((await ask(path)).status).toBe(200);
    expect((await ask('/Clubb')).status).toBe(404);
  });
});
