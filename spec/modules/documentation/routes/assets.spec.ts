import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BootstrapEvent, Module } from '../../../../src/framework';
import { Assets } from '../../../../src/modules/documentation';
import { AssetFiles } from '../../../../src/modules/documentation/routes/asset-files';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';

const folder = mkdtempSync(path.join(tmpdir(), 'assets-'));
let script = path.join(folder, 'own.js');
let url = '';

/** A module with a script for its pages. */
class ScriptModule implements Module {
  readonly name = 'script';
  readonly requires = ['documentation'];
  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const assets = await application.services.get(Assets);
    assets.add({ 'own/own.js': script });
    url = assets.urlOf('own/own.js');
  }
}

let platform: TestPlatform;
beforeAll(async () => {
  writeFileSync(script, 'export {};\n');
  platform = await startTestPlatform({ extra: [new ScriptModule()] });
});
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

describe('the assets of pages', () => {
  it('may belong to another module, with a JavaScript media type', async () => {
    const answer = await platform.request(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await answer.text()).toBe('export {};\n');
  });

  it('are immutable under a versioned URL, and revalidated otherwise', async () => {
    const immutable = await platform.request(url);
    expect(immutable.headers.get('cache-control')).toContain('immutable');
    for (const query of ['', '?', '?00000000']) {
      const answer = await platform.request(`/platform/assets/own/own.js${query}`);
      expect([query, answer.headers.get('cache-control')]).toEqual([query, 'no-cache']);
      const etag = answer.headers.get('etag') ?? '';
      const again = await platform.request(`/platform/assets/own/own.js${query}`, {
        headers: { 'If-None-Match': etag },
      });
      expect(again.status).toBe(304);
    }
  });

  it('are sent only if they have an entity tag of If-Match, and otherwise a 412', async () => {
    const get = (match: string, coding = 'identity') =>
      platform.request(url, { headers: { 'If-Match': match, 'Accept-Encoding': coding } });
    const etag = (await platform.request(url)).headers.get('etag') ?? '';
    for (const match of [etag, `"other", ${etag}`, '*']) expect((await get(match)).status).toBe(200);
    for (const match of ['"other"', `W/${etag}`, 'malformed']) {
      const answer = await get(match);
      expect([answer.status, answer.headers.get('etag')]).toEqual([412, null]);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.has('x-request-id')).toBe(true);
      const { type } = (await answer.json()) as { readonly type: string };
      expect(type).toMatch(/\/platform\/errors#precondition_failed$/);
    }
    const headers = { 'If-Match': '"other"', Accept: 'text/html' };
    const page = await platform.request('/platform/errors', { headers });
    expect(page.status).toBe(412);
    // Only pages may run scripts.
    expect(page.headers.get('content-security-policy') ?? '').not.toContain('script-src');
  });

  it('have a supported type', () => {
    const { router } = platform.application;
    expect(() => new Assets({ x: path.join(folder, 'x.exe') }, router)).toThrow(
      /x\.exe has no supported file type\. Supported: \.css, /,
    );
  });

  it('are read again after a reload only if they have changed', () => {
    const files = new AssetFiles();
    const file = path.join(folder, 'edited.css');
    writeFileSync(file, 'a {}\n');
    const first = files.load(file);
    expect(files.load(file)).toBe(first);
    writeFileSync(file, 'b { color: red }\n');
    const second = files.load(file);
    expect(second.content.bytes.toString()).toBe('b { color: red }\n');
    expect(second.version).not.toBe(first.version);
    rmSync(file);
    expect(() => files.load(file)).toThrow(/ENOENT/);
  });

  it('are forgotten if neither of the last two applications has used them', async () => {
    const { sharedState } = platform.application;
    const files = sharedState.getOrCreate(AssetFiles, () => new AssetFiles());
    const before = script;
    const first = files.load(before);
    script = path.join(folder, 'next.js');
    writeFileSync(script, 'export {};\n');
    await platform.host.reload();
    const used = files.load(script);
    await platform.host.reload();
    await platform.host.reload();
    expect(files.load(script)).toBe(used);
    expect(files.load(before)).not.toBe(first);
  });
});
