import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runSync } from '../../src/framework';
import { CodeCache } from '../../src/loading/code-cache';
import type { KeptModule } from '../../src/loading/code-cache-content';

let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'code-cache-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Smaller and larger than the blocks that are read, and not aligned. */
const modules: readonly KeptModule[] = [10, 300_001, 7, 600_003, 1, 250_000, 300_002, 13].map((size, at) => ({
  file: `/modules/${at}.js`,
  version: { mtimeMs: 1_000 + at, size },
  source: `${at}é`.repeat(Math.ceil(size / 3)).slice(0, size),
  code: Buffer.alloc(size, at + 1),
}));

describe('The cache of compiled code', () => {
  it.each<[string, readonly KeptModule[]]>([
    ['in their order', modules],
    ['in another order', [...modules].reverse()],
    ['repeatedly', [...modules, ...modules]],
  ])('finds modules of all sizes %s, at addresses that V8 accepts', (_, order) => {
    const file = path.join(folder, 'own', 'server.bin');
    runSync(new CodeCache(file).add(modules));
    const cache = new CodeCache(file);
    for (const { file: name, version, source, code } of order) {
      const found = cache.find(name, version);
      expect(found?.source).toBe(source);
      expect(Buffer.compare(found?.code ?? Buffer.alloc(0), code)).toBe(0);
      expect((found?.code.byteOffset ?? 1) % 8).toBe(0);
    }
    cache.close();
    expect(cache.find('/modules/0.js', { mtimeMs: 1_000, size: 10 })).toBeUndefined();
  });

  it('keeps the modules that it has when others are added', () => {
    const file = path.join(folder, 'own', 'server.bin');
    runSync(new CodeCache(file).add(modules));
    const [replaced] = modules;
    if (replaced === undefined) throw new Error('There are modules.');
    const changed = { ...replaced, version: { mtimeMs: 2_000, size: 10 } };
    const cache = new CodeCache(file);
    runSync(cache.add([changed]));
    cache.close();
    const next = new CodeCache(file);
    expect(next.find(replaced.file, replaced.version)).toBeUndefined();
    expect(next.find(changed.file, changed.version)?.source).toBe(changed.source);
    next.close();
  });

  it('keeps the code of other modules as it is when some are added', () => {
    const file = path.join(folder, 'own', 'server.bin');
    const own = modules.map((module, at): KeptModule => {
      const name = path.join(folder, `${at}.js`);
      writeFileSync(name, module.source);
      return { ...module, file: name, version: statSync(name) };
    });
    const [added, ...kept] = own;
    if (added === undefined) throw new Error('There are modules.');
    runSync(new CodeCache(file).add(kept));
    const cache = new CodeCache(file);
    runSync(cache.add([added]));
    cache.close();
    const next = new CodeCache(file);
    for (const { file: name, version, source, code } of own) {
      const found = next.find(name, version);
      expect(found?.source).toBe(source);
      expect(Buffer.compare(found?.code ?? Buffer.alloc(0), code)).toBe(0);
    }
    next.close();
  });

  it('removes what processes have left that were killed while they wrote', () => {
    const file = path.join(folder, 'own', 'server.bin');
    runSync(new CodeCache(file).add(modules));
    const [old, recent, other] = [`${file}.7-1`, `${file}.8-2`, `${file}s`];
    for (const name of [old, recent, other]) writeFileSync(name, '');
    for (const name of [old, other]) utimesSync(name, 1, 1);
    runSync(new CodeCache(file).add(modules));
    expect(readdirSync(path.dirname(file)).sort()).toEqual(
      [file, recent, other].map((name) => path.basename(name)),
    );
  });

  it('is not damaged by processes that write at the same time', () => {
    const file = path.join(folder, 'own', 'server.bin');
    const writers = [new CodeCache(file).add(modules), new CodeCache(file).add([...modules].reverse())];
    while (writers.map((writer) => writer.next().done).includes(false));
    const cache = new CodeCache(file);
    const found = modules.filter(
      ({ file: name, version, source }) => cache.find(name, version)?.source === source,
    );
    expect(found).toHaveLength(modules.length);
    cache.close();
  });
});
