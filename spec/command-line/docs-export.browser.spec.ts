import { Command } from 'commander';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { registerDocs } from '../../src/command-line/docs/command';
import { crawlSite } from '../../src/command-line/docs/site';
import { startChromium } from '../clients/chromium';
import { crawl } from '../factories/browser/crawl';
import {
  ALL_MODULES,
  makeProject,
  sampleAuthentication,
  startTestPlatform,
  type TestProject,
} from '../factories/platform';
import { ClubModule } from '../fixtures/club-module';
import { HostileModule } from '../fixtures/hostile-module';
import { ShopModule } from '../fixtures/shop/shop-module';
import { withPrograms } from '../factories/processes/programs';
import { setTestTimeout } from '../factories/test-timeout';

setTestTimeout(120);

const FORMATS = ['html', 'json', 'apidesc', 'openapi', 'yaml', 'swagger', 'markdown'];

let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'site-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(root, name)).isFile())
    .map((name) => name.split(path.sep).join('/'));

describe('the documentation as static files', () => {
  let site: ReadonlyMap<string, Buffer>;

  beforeAll(async () => {
    const platform = await startTestPlatform({
      extra: [new ClubModule(), new HostileModule(), new ShopModule()],
      files: {
        'guides/start.md': '# How to start\n\nRead on. ![The plan](plan.svg)',
        'guides/plan.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
      },
      local: {
        ...sampleAuthentication,
        server: { base_url: '/api' },
        'platform-documentation': { guides: 'guides' },
        'platform-hosting': { apis: { Club: { visibility: 'authenticated' } } },
      },
    });
    site = await crawlSite(`${platform.origin}/api`);
    await platform.stop();
    for (const [name, bytes] of site) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(folder, name), bytes, { flag: 'wx' });
    }
  });

  it('contains every format of the list, each version of an API, and each service', () => {
    const folders = [...site.keys()]
      .filter((name) => path.basename(name) === 'index.html')
      .map((name) => path.dirname(name));
    expect(site.has('guides/start/index.html')).toBe(true);
    expect([...site.keys()]).toContainEqual(expect.stringMatching(/^guides\/images\/\w+-plan\.svg$/));
    expect(folders).toEqual(
      expect.arrayContaining(['.', 'Atlas-v1', 'Atlas-v2', 'Atlas-v2/Country', 'Shop-v1/Echo']),
    );
    for (const one of folders.filter((name) => !name.startsWith('guides'))) {
      const files = [...site.keys()].filter(
        (name) => path.dirname(name) === one && !/compare|changelog/.test(name),
      );
      expect(files).toHaveLength(FORMATS.length);
    }
  });

  it('contains nothing of a hidden API', () => {
    expect([...site.keys()].filter((name) => name.startsWith('Club'))).toEqual([]);
    for (const bytes of site.values()) expect(bytes.includes('club/hall')).toBe(false);
  });

  it('names neither the server nor one of its paths in any link', () => {
    for (const [name, bytes] of site) {
      if (!name.endsWith('.html')) continue;
      expect(bytes.toString()).not.toMatch(/<[^>]* (?:href|src|action)="(?:\/|https?:\/\/127\.0\.0\.1)/);
      expect(bytes.toString()).not.toMatch(/<(?:script|form)\b/);
    }
  });

  withPrograms('chromium').describe('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => (browser = await startChromium()));
    afterAll(() => browser.close());

    it('works from file: URLs: every link leads to a file, every file is linked, every fragment exists', async () => {
      const page = await browser.newPage();
      const failed: string[] = [];
      const styles: string[] = [];
      page.on('requestfailed', (request) => {
        // A request that the navigation cancelled is not a failure.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED') failed.push(request.url());
      });
      page.on('console', (message) => failed.push(message.text()));
      page.on('requestfinished', (request) => styles.push(request.url()));
      const seen = new Set<string>();
      const fragments: [string, string][] = [];
      const ids = new Map<string, readonly string[]>();
      const waiting = [pathToFileURL(path.join(folder, 'index.html')).href];
      for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
        if (seen.has(url)) continue;
        seen.add(url);
        expect(existsSync(fileURLToPath(url))).toBe(true);
        if (!url.endsWith('.html')) continue;
        await page.goto(url);
        const found = await page.evaluate(() => ({
          links: [...document.querySelectorAll<HTMLElement>('[href], [src]')].map((element) =>
            'href' in element ? String(element.href) : String(Reflect.get(element, 'src')),
          ),
          ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
        }));
        ids.set(url, found.ids);
        for (const link of found.links) {
          const target = new URL(link);
          if (target.protocol !== 'file:') continue;
          const fragment = decodeURIComponent(target.hash.slice(1));
          target.hash = '';
          if (fragment !== '') fragments.push([target.href, fragment]);
          waiting.push(target.href);
        }
      }
      expect(failed).toEqual([]);
      expect([...seen].map((url) => path.relative(folder, fileURLToPath(url))).sort()).toEqual(
        [...site.keys()].sort(),
      );
      expect(fragments.length).toBeGreaterThan(10);
      for (const [url, fragment] of fragments) expect(ids.get(url)).toContain(fragment);
      expect(styles.some((url) => url.endsWith('/assets/platform.css'))).toBe(true);
    });
  });

  it('works on a web server below a prefix', async () => {
    const types: Readonly<Record<string, string>> = {
      '.html': 'text/html; charset=utf-8',
      '.css': 'text/css',
    };
    const server: Server = createServer(({ url = '' }, answer) => {
      const file = path.join(folder, decodeURIComponent(url.replace(/^\/some\/prefix\//, '')));
      if (!url.startsWith('/some/prefix/') || !existsSync(file)) return void answer.writeHead(404).end();
      const type = types[path.extname(file)] ?? 'application/octet-stream';
      answer.writeHead(200, { 'Content-Type': type }).end(readFileSync(file));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const { pages, outside, fragments } = await crawl(`http://127.0.0.1:${port}/some/prefix/index.html`);
    await new Promise((done) => server.close(done));
    expect([...pages.values()].filter(({ status }) => status !== 200)).toEqual([]);
    expect(pages.size).toBe(site.size);
    expect(fragments.length).toBeGreaterThan(10);
    for (const link of outside) expect(link).not.toContain('127.0.0.1');
  });
});

describe('apidesc-platform docs export', () => {
  let root: string;
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function run(project: TestProject, words: readonly string[]) {
    root = makeProject(project);
    return again(words);
  }

  async function again(words: readonly string[]) {
    let [output, errors]: [string, string] = ['', ''];
    let code: number | undefined;
    const program = new Command().exitOverride();
    registerDocs(program, {
      stdout: { write: (text) => (output += text) },
      stderr: { write: (text) => (errors += text) },
      environment: {},
      exit: (given) => (code = given),
    });
    await program.parseAsync(['docs', 'export', ...words, '--root', root], { from: 'user' });
    return { code, output, errors };
  }

  const to = (name: string): string => path.join(folder, 'of-command', name);
  /** Without an API: what is exported does not matter to the folder. */
  const empty: TestProject = { modules: ALL_MODULES.filter((name) => name !== 'atlas') };

  it('writes the files, prints the start page, and adds no line to the access log', async () => {
    mkdirSync(to('.'), { recursive: true });
    const log = { 'platform-operations': { access_log: { file: 'access.log' } } };
    const { code, output, errors } = await run({ local: log }, [to('first')]);
    expect(errors).toBe('');
    expect(output).toBe(
      `Wrote ${filesBelow(to('first')).length} files to ${to('first')}. Open ${to('first/index.html')}.\n`,
    );
    expect(code).toBe(0);
    expect(readFileSync(to('first/Atlas-v2/documentation.json'), 'utf8')).toMatch(
      /^\{"name":"Atlas","version":2/,
    );
    const logged = path.join(root, 'access.log');
    expect(existsSync(logged) ? readFileSync(logged, 'utf8') : '').toBe('');
  });

  it('does not replace an earlier export without --force', async () => {
    await run(empty, [to('second')]);
    writeFileSync(to('second/mine.txt'), 'mine');
    const count = readdirSync(to('second')).length;
    expect(await again([to('second')])).toEqual({
      code: 1,
      output: '',
      errors: `${to('second')} is not empty (${count} entries). Use --force to replace the whole folder.\n`,
    });
    expect(filesBelow(to('second'))).toContain('mine.txt');
    expect((await again([to('second'), '--force'])).code).toBe(0);
    expect(filesBelow(to('second'))).not.toContain('mine.txt');
    expect(filesBelow(to('second'))).toContain('index.html');
    expect(readdirSync(to('.')).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it.each([[['--force']], [[]]])('never replaces a folder that is not an export, with %j', async (words) => {
    root = makeProject();
    // A folder with the name of an export's marker file.
    mkdirSync(path.join(root, 'config/.platform-documentation'));
    const config = path.join(root, 'config');
    const before = filesBelow(config);
    const count = readdirSync(config).length;
    expect(await again([config, ...words])).toEqual({
      code: 1,
      output: '',
      errors: `${config} is not empty (${count} entries) and is not an export: without a file .platform-documentation, --force does not replace it. Choose another folder, or delete it by hand.\n`,
    });
    expect(filesBelow(config)).toEqual(before);
  });

  it('writes to the target of a symbolic link, and keeps the link', async () => {
    mkdirSync(to('target'), { recursive: true });
    symlinkSync(to('target'), to('link'));
    expect((await run(empty, [to('link')])).errors).toBe('');
    writeFileSync(to('target/mine.txt'), 'mine');
    expect((await again([to('link'), '--force'])).errors).toBe('');
    expect(readlinkSync(to('link'))).toBe(to('target'));
    expect(filesBelow(to('target'))).toContain('index.html');
    expect(filesBelow(to('target'))).not.toContain('mine.txt');
  });

  it('rejects a dangling symbolic link, and one to a folder that is not an export', async () => {
    mkdirSync(to('mine'), { recursive: true });
    writeFileSync(to('mine/mine.txt'), 'mine');
    symlinkSync(to('nothing'), to('dangling'));
    symlinkSync(to('mine'), to('link-to-mine'));
    const { code, errors } = await run(empty, [to('dangling'), '--force']);
    expect(errors).toBe(
      `${to('dangling')} is a symbolic link to a folder that does not exist. Create that folder, or delete the link.\n`,
    );
    expect(code).toBe(1);
    expect(readlinkSync(to('dangling'))).toBe(to('nothing'));
    expect((await again([to('link-to-mine'), '--force'])).errors).toContain('and is not an export');
    expect(filesBelow(to('mine'))).toEqual(['mine.txt']);
  });

  it('does not replace the project itself', async () => {
    // In a separate folder, so that a failure removes nothing else.
    const around = to('around');
    mkdirSync(around, { recursive: true });
    root = path.join(around, 'project');
    renameSync(makeProject(), root);
    for (const one of [root, around]) {
      const { code, errors } = await again([one, '--force']);
      expect(errors).toContain('it cannot be replaced');
      expect(code).toBe(1);
    }
    expect(existsSync(path.join(root, 'config/application.json'))).toBe(true);
  });

  it('reports why nothing can be exported, and leaves nothing behind', async () => {
    const local = { 'platform-mvc-auth': { authorization: { '@documentation': 'authenticated' } } };
    const { code, errors } = await run({ local }, [to('third')]);
    expect(errors).toContain(
      '/platform/documentation responds 403, but the export requires that guests may read',
    );
    expect(code).toBe(1);
    expect(readdirSync(to('.')).filter((name) => name.startsWith('third'))).toEqual([]);
  });

  it('reports what blocks a folder', async () => {
    writeFileSync(to('file'), '');
    const { code, errors } = await run(empty, [to('file/below')]);
    expect(errors).toContain('cannot be written: a file has the name of one of its folders');
    expect(code).toBe(1);
  });
});
