import { symlinkSync } from 'node:fs';
import path from 'node:path';
import type { ConfigObject } from '../../../src/platform';
import { startTestPlatform, type TestProject } from '../../factories/platform';
import { basic } from '../../factories/http/requests';
import { HOSTING, startRefusal } from '../../factories/processes/start-refusal';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';

const project = (folders: ConfigObject, more: ConfigObject = {}): TestProject => ({
  modules: [...HOSTING, 'static-files', 'operations'],
  local: { ...more, 'platform-static-files': { folders } },
  files: { ...PEOPLE, 'web/index.html': 'app', 'internal/index.html': 'internal' },
});
const FOLDERS = { '/': { folder: 'web' }, '/internal': { folder: 'internal' } };

describe('the access rules of static files', () => {
  it('guard one folder, and keep its files out of shared caches', async () => {
    const rules = authenticatedBy('people', { authorization: { '@static-files/internal': ['ada'] } });
    const platform = await startTestPlatform(project(FOLDERS, rules));
    try {
      expect((await platform.request('/')).status).toBe(200);
      const guest = await platform.request('/internal/');
      expect([guest.status, guest.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Basic/),
      ]);
      expect((await platform.request('/internal/nothing.js')).status).toBe(401);
      const status = async (user: string): Promise<number> =>
        (await platform.request('/internal/', { headers: { Authorization: basic(user, 'password') } }))
          .status;
      expect([await status('ada'), await status('bob')]).toEqual([200, 403]);
      const own = await platform.request('/internal/', {
        headers: { Authorization: basic('ada', 'password') },
      });
      expect(own.headers.get('cache-control')).toBe('private, no-cache');
      expect(own.headers.get('vary')).toBe('Authorization');
    } finally {
      await platform.stop();
    }
  });

  it('guard a folder in another one, however its path is written, and by a link to it', async () => {
    const rules = authenticatedBy('people', { authorization: { '@static-files/internal': ['ada'] } });
    const folders = { '/': { folder: 'web' }, '/internal': { folder: 'web/internal' } };
    const nested = project(folders, rules);
    const platform = await startTestPlatform({
      ...nested,
      files: { ...nested.files, 'web/internal/x.txt': 'internal', 'web/other/x.txt': 'public' },
    });
    try {
      symlinkSync('internal', path.join(platform.root, 'web/link'));
      const statusOf = async (at: string): Promise<number> => (await platform.request(at)).status;
      for (const at of ['/internal/x.txt', '/%69nternal/x.txt', '/intern%61l/%78.txt', '/%69nternal'])
        expect([at, await statusOf(at)]).toEqual([at, 401]);
      for (const at of ['/link/x.txt', '/link', '/internal%2fx.txt'])
        expect([at, await statusOf(at)]).toEqual([at, 404]);
      expect(await statusOf('/%6fther/x.txt')).toBe(200);
      const own = await platform.request('/%69nternal/x.txt', {
        headers: { Authorization: basic('ada', 'password') },
      });
      expect(await own.text()).toBe('internal');
    } finally {
      await platform.stop();
    }
  });

  it('guard all folders, except for those with a rule of their own', async () => {
    const rules = authenticatedBy('people', {
      authorization: { '@static-files': 'authenticated', '@static-files/': 'guest' },
    });
    const platform = await startTestPlatform(project(FOLDERS, rules));
    try {
      expect((await platform.request('/')).status).toBe(200);
      expect((await platform.request('/internal/')).status).toBe(401);
    } finally {
      await platform.stop();
    }
  });

  it('warn about files that nobody can sign in for', async () => {
    const rules = { 'platform-mvc-auth': { authorization: { '@static-files': 'authenticated' } } };
    const platform = await startTestPlatform(project({ '/': { folder: 'web' } }, rules));
    try {
      expect(platform.application.warnings.join('\n')).toContain(
        'The files at / require a user, but no adapter is mapped to "@static-files"',
      );
      expect((await platform.request('/')).status).toBe(403);
    } finally {
      await platform.stop();
    }
  });
});

describe('a start', () => {
  it('fails without the folder, with the key and the path', async () => {
    const message = await startRefusal(project({ '/': { folder: 'dist' } }));
    expect(message).toMatch(
      /local\.json:\d+:\d+: platform-static-files\.folders\.\/\.folder: the folder .*\/dist does not exist/,
    );
  });

  it('fails without the fallback, and for paths of the platform', async () => {
    expect(await startRefusal(project({ '/': { folder: 'web', fallback: '200.html' } }))).toMatch(
      /fallback: the folder .*web has no file "200\.html"/,
    );
    // It exists, and no request would find it.
    const outside = project({ '/': { folder: 'web', fallback: '../internal/index.html' } });
    expect(await startRefusal(outside)).toContain('web has no file "../internal/index.html"');
    expect(await startRefusal(project({ '/platform/x': { folder: 'web' } }))).toContain(
      'paths below /platform belong to the documentation and the admin pages',
    );
    expect(await startRefusal(project({ '/app/': { folder: 'web' } }))).toContain('"/app/"');
  });

  it('fails for header fields that depend on the file', async () => {
    const headers = { 'X-Own': 'a', 'content-type': 'text/plain' };
    expect(await startRefusal(project({ '/': { folder: 'web', headers } }))).toMatch(
      /local\.json:\d+:\d+: platform-static-files\.folders\.\/\.headers\.content-type: content-type depends on the file/,
    );
  });

  it('fails for a rule and an adapter of a folder that is not served', async () => {
    const rules = authenticatedBy('people', { authorization: { '@static-files/intern': 'authenticated' } });
    expect(await startRefusal(project(FOLDERS, rules))).toContain(
      'no folder is served at "/intern". Did you mean "@static-files/internal"?',
    );
    const map = { 'platform-mvc-auth': { authentication: { map: { '@static-files/x': [] } } } };
    expect(await startRefusal(project(FOLDERS, map))).toContain('no folder is served at "/x"');
  });
});
