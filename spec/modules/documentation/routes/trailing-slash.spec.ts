import { startTestPlatform, type TestPlatform } from '../../../factories/platform';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ local: { server: { base_url: '/gateway' } } });
});
afterAll(() => platform.stop());

const HOME = '/gateway/platform/documentation';

describe('An address of the documentation with a trailing slash', () => {
  it.each([
    [`${HOME}/`, HOME],
    [`${HOME}/Atlas/`, `${HOME}/Atlas`],
    [`${HOME}/Atlas-v2/`, `${HOME}/Atlas-v2`],
    [`${HOME}/Atlas/Country/`, `${HOME}/Atlas/Country`],
    [`${HOME}/Atlas-v2/Country/`, `${HOME}/Atlas-v2/Country`],
    [`${HOME}/Atlas/?format=yaml&x=%2F`, `${HOME}/Atlas?format=yaml&x=%2F`],
    [`${HOME}/At%6Cas/`, `${HOME}/At%6Cas`],
    // Whether there is such an API is said at the address without.
    [`${HOME}/Nobody/`, `${HOME}/Nobody`],
  ])('%s leads to %s for good', async (from, to) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await platform.request(from, { method });
      expect([answer.status, answer.headers.get('location')]).toEqual([308, to]);
    }
  });

  it('leads to a page', async () => {
    const answer = await fetch(`${platform.origin}${HOME}/Atlas/Country/?format=html`);
    expect([answer.status, answer.url]).toEqual([200, `${platform.origin}${HOME}/Atlas/Country?format=html`]);
  });

  it('takes no other method', async () => {
    const answer = await platform.request(`${HOME}/Atlas/`, { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it.each([`${HOME}//`, `${HOME}/Atlas//`, `${HOME}/Atlas/Country/more/`])(
    'is none where %s is no address of it',
    async (path) => {
      expect((await platform.request(path)).status).toBe(404);
    },
  );
});
