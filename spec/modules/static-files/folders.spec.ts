import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { RequestMetrics } from '../../../src/modules/operations';
import { defineApi, defineProcedure, defineRpcService, type Module } from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { sendRaw } from '../../factories/http/raw-http';
import { HOSTING } from '../../factories/processes/start-refusal';

const INDEX = '<!doctype html><title>App</title>';
const SCRIPT = 'export const answer = 42;\n'.repeat(100);
const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const Ping = defineRpcService({
  route: '/notes/ping',
  methods: { GET: defineProcedure({ handler: () => ({ ok: true }) }) },
});
const notes: Module = {
  name: 'notes',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Notes', versions: { 1: { services: { Ping } } } })],
};

describe('a folder of static files', () => {
  let platform: TestPlatform;
  const file = (name: string): string => path.join(platform.root, name);
  const status = async (to: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    // `fetch` would resolve dot segments.
    const raw = `GET ${to} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines.join('')}\r\n`;
    return (await sendRaw(platform.origin, raw)).status;
  };

  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: [...HOSTING, 'static-files', 'documentation', 'operations'],
      extra: [notes],
      local: {
        'platform-static-files': {
          folders: {
            '/': { folder: 'web', fallback: 'index.html', immutable: ['assets/'] },
            '/private': {
              folder: 'web/assets',
              max_age: 600,
              headers: { 'cache-control': 'no-store', 'accept-ranges': 'none', 'X-Own': 'a' },
            },
            '/manual': { folder: 'manual', headers: { 'content-security-policy': "default-src 'none'" } },
          },
        },
      },
      files: {
        'secret.txt': 'secret',
        'web/index.html': INDEX,
        'web/assets/app.js': SCRIPT,
        'web/assets/empty.txt': '',
        'web/docs/index.html': 'docs',
        'web/without/a.txt': 'a',
        'web/.env': 'secret',
        'web/.well-known/security.txt': 'Contact: a',
        'manual/index.html': 'manual',
      },
    });
    symlinkSync('../secret.txt', file('web/link.txt'));
    symlinkSync('assets/app.js', file('web/inner.js'));
    writeFileSync(file('web/assets/app.3f9c'), SCRIPT);
    symlinkSync('assets/app.3f9c', file('web/hashed.js'));
    symlinkSync('assets/app.js', file('web/latest'));
    writeFileSync(file('web/assets/app.js.br'), brotliCompressSync(SCRIPT));
    writeFileSync(file('web/assets/app.js.gz'), gzipSync(SCRIPT));
    // A recent file has a weak entity tag.
    for (const name of ['index.html', 'assets/app.js', 'assets/app.js.br', 'assets/app.js.gz'])
      utimesSync(file(`web/${name}`), 1_000_000_000, 1_000_000_000);
  });

  afterAll(() => platform.stop());

  it('serves its files, and the index of folders', async () => {
    const script = await platform.request('/assets/app.js');
    expect(script.status).toBe(200);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const home = await platform.request('/');
    expect(await home.text()).toBe(INDEX);
    expect(home.headers.get('cache-control')).toBe('no-cache');
    expect(home.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(home.headers.get('x-frame-options')).toBe('DENY');
    expect(await (await platform.request('/docs/')).text()).toBe('docs');
    expect(await (await platform.request('/.well-known/security.txt')).text()).toBe('Contact: a');
  });

  it('serves the folder of the longest path, with its own header fields', async () => {
    const response = await platform.request('/manual/');
    expect(await response.text()).toBe('manual');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(await status('/manual/nothing', HTML)).toBe(404);
  });

  it('sends the fields of a folder in place of its own, also those of caching and ranges', async () => {
    const { headers } = await platform.request('/private/empty.txt');
    const names = ['cache-control', 'accept-ranges', 'x-own', 'x-content-type-options'];
    expect(names.map((name) => headers.get(name))).toEqual(['no-store', 'none', 'a', 'nosniff']);
    expect(await status('/private/app.js', { Range: 'bytes=0-5' })).toBe(200);
    const other = await platform.request('/assets/empty.txt');
    expect(other.headers.get('accept-ranges')).toBe('bytes');
  });

  it('redirects folders without a slash, with the query', async () => {
    for (const [from, to] of [
      ['/docs?a=1', '/docs/?a=1'],
      ['/manual', '/manual/'],
    ] as const) {
      const response = await platform.request(from);
      expect([response.status, response.headers.get('location')]).toEqual([308, to]);
    }
  });

  it('falls back to the index for pages only', async () => {
    const page = await platform.request('/users/7', { headers: HTML });
    expect([page.status, await page.text()]).toEqual([200, INDEX]);
    expect(page.headers.get('vary')).toContain('Accept');
    expect(await status('/without', HTML)).toBe(200);
    for (const [to, accept] of [
      ['/users/7', '*/*'],
      ['/users/7', 'application/json'],
      ['/users/7', 'text/html;q=0, */*'],
      ['/missing.js', HTML.Accept],
    ] as const)
      expect([to, accept, await status(to, { Accept: accept })]).toEqual([to, accept, 404]);
  });

  it('leaves the paths of APIs, documentation and admin pages to them', async () => {
    expect(await (await platform.request('/notes/ping')).json()).toEqual({ ok: true });
    expect((await platform.request('/platform/documentation')).status).toBe(200);
    for (const to of [
      '/notes/nothing',
      '/v1/notes/nothing',
      '/v%31/n%6Ftes/nothing',
      '/v7/nothing',
      '/platform/nothing',
      '/pl%61tform/nothing',
      '/platform/admin',
    ])
      expect([to, await status(to, HTML)]).toEqual([to, 404]);
  });

  it('refuses paths out of the folder, and hidden files', async () => {
    for (const to of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/link.txt',
      '/.env',
      '/%2eenv',
      '/index.html%00.js',
      '//web/',
    ])
      expect([to, await status(to)]).toEqual([to, 404]);
    expect(await status('/inner.js')).toBe(200);
  });

  it.each(['/inner.js', '/hashed.js', '/latest'])(
    'has the media type of its name, also for the link %s',
    async (to) => {
      const response = await platform.request(to);
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await response.text()).toBe(SCRIPT);
    },
  );

  it('refuses what is neither a file nor a folder', async () => {
    execFileSync('mkfifo', [file('web/pipe.txt')]);
    expect(await status('/pipe.txt')).toBe(404);
  });

  it('sends the compressed file that the client prefers, each with its own entity tag', async () => {
    const tags = new Set<string | null>();
    for (const [accept, coding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0.1, gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await platform.request('/assets/app.js', { headers: { 'Accept-Encoding': accept } });
      expect(response.headers.get('content-encoding')).toBe(coding);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await response.text()).toBe(SCRIPT);
      tags.add(response.headers.get('etag'));
    }
    expect(tags.size).toBe(3);
    expect((await platform.request('/')).headers.has('vary')).toBe(false);
  });

  it('responds 304 to a client that has the file', async () => {
    const first = await platform.request('/');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"/);
    for (const headers of [
      { 'If-None-Match': tag },
      { 'If-Modified-Since': first.headers.get('last-modified') ?? '' },
    ]) {
      const response = await platform.request('/', { headers });
      expect([response.status, await response.text()]).toEqual([304, '']);
      expect(response.headers.get('etag')).toBe(tag);
      expect(response.headers.has('content-type')).toBe(false);
    }
    expect(await status('/', { 'If-Match': '"other"' })).toBe(412);
  });

  it('sends ranges', async () => {
    const identity = { 'Accept-Encoding': 'identity' };
    const get = (headers: Readonly<Record<string, string>>): Promise<Response> =>
      platform.request('/assets/app.js', { headers: { ...identity, ...headers } });
    const etag = (await get({})).headers.get('etag') ?? '';
    for (const [range, text] of [
      ['bytes=0-5', SCRIPT.slice(0, 6)],
      ['bytes=5-5', SCRIPT.slice(5, 6)],
      [`bytes=${SCRIPT.length - 1}-${SCRIPT.length}`, SCRIPT.slice(-1)],
      ['bytes=-3', SCRIPT.slice(-3)],
      [`bytes=${SCRIPT.length - 2}-`, SCRIPT.slice(-2)],
      [`bytes=-${SCRIPT.length}`, SCRIPT],
      ['bytes=-9999', SCRIPT],
      ['bytes=9999-, -99999999999999999999', SCRIPT],
      ['Bytes=0-5', SCRIPT.slice(0, 6)],
      ['bytes=5-9,', SCRIPT.slice(5, 10)],
      ['bytes=, ,5-9 , 9999-', SCRIPT.slice(5, 10)],
    ] as const) {
      const response = await get({ Range: range, 'If-Range': etag });
      expect([response.status, await response.text()]).toEqual([206, text]);
      expect(response.headers.get('content-range')).toMatch(/^bytes \d+-\d+\/2600$/);
    }
    for (const headers of [
      { Range: 'bytes=0-5', 'If-Range': '"other"' },
      { Range: 'bytes=0-5,7-9' },
      { Range: 'lines=0-5' },
      // Invalid (RFC 9110, 14.1.1).
      ...[
        'bytes=12',
        'bytes=5-3',
        'bytes=1x-3',
        'bytes=0-3-5',
        'bytes=',
        'bytes=a',
        'x-bytes=0-5',
        'bytes=0-5;',
        'bytes=0-5, -',
      ].map((Range) => ({
        Range,
      })),
    ])
      expect((await get(headers)).status).toBe(200);
    for (const range of ['bytes=9999-', 'bytes=2600-', 'bytes=-0', 'bytes=-00']) {
      const beyond = await get({ Range: range });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */2600']);
    }
  });

  it('responds to HEAD like to GET, without the content and ignoring ranges', async () => {
    const response = await platform.request('/assets/app.js', {
      method: 'HEAD',
      headers: { Range: 'bytes=0-5', 'Accept-Encoding': 'identity' },
    });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      200,
      '2600',
      '',
    ]);
  });

  it('serves empty files', async () => {
    for (const headers of [{}, { Range: 'bytes=-1' }]) {
      const response = await platform.request('/assets/empty.txt', { headers });
      expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
        200,
        '0',
        '',
      ]);
    }
    // No other range can be satisfied (RFC 9110, 14.1.2).
    for (const range of ['bytes=0-', 'bytes=0-5', 'bytes=-0'])
      expect([range, await status('/assets/empty.txt', { Range: range })]).toEqual([range, 416]);
  });

  it('refuses other methods, and responds to OPTIONS', async () => {
    const post = await platform.request('/index.html', { method: 'POST', body: 'a' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const options = await platform.request('/index.html', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect((await platform.request('/notes/nothing', { method: 'POST' })).status).toBe(404);
  });

  it('follows files that are added, replaced and removed', async () => {
    writeFileSync(file('web/news.txt'), 'one');
    const first = await platform.request('/news.txt');
    expect([await first.text(), first.headers.get('etag')?.startsWith('W/')]).toEqual(['one', true]);
    writeFileSync(file('web/next.txt'), 'second');
    renameSync(file('web/next.txt'), file('web/news.txt'));
    expect(await (await platform.request('/news.txt')).text()).toBe('second');
    rmSync(file('web/news.txt'));
    expect(await status('/news.txt')).toBe(404);
  });

  it('follows a link to another release', async () => {
    mkdirSync(file('next'));
    writeFileSync(file('next/index.html'), 'next');
    renameSync(file('manual'), file('previous'));
    symlinkSync('next', file('manual'));
    expect(await (await platform.request('/manual/')).text()).toBe('next');
  });

  it('ends the connection if a file becomes shorter while it is sent', async () => {
    const size = 64 * 1_048_576;
    writeFileSync(file('web/large.bin'), Buffer.alloc(size));
    const response = await platform.request('/large.bin');
    truncateSync(file('web/large.bin'), 1_000);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
    expect(platform.log.lines.some((line) => JSON.stringify(line).includes('became shorter'))).toBe(true);
  });

  it('counts the octets that it sends', async () => {
    await (await platform.request('/docs/')).text();
    const metrics = platform.application.sharedState.find(RequestMetrics);
    const operations = [...(metrics?.operations ?? [])].map(({ labels }) => JSON.stringify(labels));
    expect(operations.some((labels) => labels.includes('files of /'))).toBe(true);
  });
});

it('a 404 depends on Accept where pages receive the fallback, also without error pages', async () => {
  const folders = { '/': { folder: 'web', fallback: 'index.html' }, '/other': { folder: 'web' } };
  const platform = await startTestPlatform({
    modules: ['static-files'],
    local: { 'platform-static-files': { folders } },
    files: { 'web/index.html': INDEX },
  });
  const vary = async (to: string): Promise<string | null> => {
    const response = await platform.request(to, { headers: { Accept: 'application/json' } });
    expect(response.status).toBe(404);
    return response.headers.get('vary');
  };
  expect(await vary('/nothing')).toBe('Accept');
  expect(await vary('/nothing.png')).toBe(null);
  expect(await vary('/other/nothing')).toBe(null);
  await platform.stop();
});
