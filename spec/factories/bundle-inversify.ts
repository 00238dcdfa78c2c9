import { buildSync } from 'esbuild';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

/** Bundles inversify into the file that jest.config.js names, once for each of its versions. */
export function bundleInversify(root: string): void {
  const modules = path.join(root, 'node_modules');
  const text = readFileSync(path.join(modules, 'inversify/package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  const file = path.join(modules, '.cache/platform', `inversify-${version}.js`);
  if (existsSync(file)) return;
  // Several runs of jest may begin at the same time.
  const temporary = `${file}.${process.pid}`;
  buildSync({
    entryPoints: [path.join(modules, 'inversify/lib/index.js')],
    outfile: temporary,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['reflect-metadata'],
  });
  renameSync(temporary, file);
}
