import { startTestPlatform, type TestPlatform } from '../../../factories/platform';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ local: { server: { base_url: '/gateway' } } });
});
afterAll(() => platform.stop());

const HOME = '/gateway/platform/documentation';

describe('a documentation URL with a trailing slash', () => {
  it.each([
    [`${HOME}/`, HOME],
    [`${HOME}/Atlas/`, `${HOME}/Atlas`],
    [`${HOME}/Atlas-v2/`, `${HOME}/Atlas-v2`],
    [`${HOME}/Atlas/Country/`, `${HOME}/Atlas/Country`],
    [`${HOME}/Atlas-v2/Country/`, `${HOME}/Atlas-v2/Country`],
    [`${HOME}/Atlas/?format=yaml&x=%2F`, `${HOME}/Atlas?format=yaml&x=%2F`],
    [`${HOME}/At%6Cas/`, `${HOME}/At%6Cas`],
    // The URL without the slash responds whether such an API exists.
    [`${HOME}/Nobody/`, `${HOME}/Nobody`],
  ])('%s redirects permanently to %s', async (from, to) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await platform.request(from, { method });
      expect([answer.status, answer.headers.get('location')]).toEqual([308, to]);
    }
  });

  it('redirects to a page', async () => {
    const answer = await fetch(`${platform.origin}${HOME}/Atlas/Country/?format=html`);
    expect([answer.status, answer.url]).toEqual([200, `${platform.origin}${HOME}/Atlas/Country?format=html`]);
  });

  it('supports GET only', async () => {
    const answer = await platform.request(`${HOME}/Atlas/`, { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it.each([`${HOME}//`, `${HOME}/Atlas//`, `${HOME}/Atlas/Country/more/`])(
    'is not redirected for the unknown URL %s',
    async (path) => {
      expect((await platform.request(path)).status).toBe(404);
    },
  );
});

describe('the path of all routes', () => {
  it.each(['/gateway', '/gateway/'])('redirects from %s to the documentation', async (path) => {
    const answer = await platform.request(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, HOME]);
  });

  it('keeps the query, such as a format', async () => {
    const answer = await platform.request('/gateway?format=html');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${HOME}?format=html`]);
  });
});
