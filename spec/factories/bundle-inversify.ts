import { buildSync } from 'esbuild';
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';

/** Bundles inversify into the file that jest.config.js names, once for each installation. */
export function bundleInversify(root: string): void {
  const folder = path.join(root, 'node_modules/inversify');
  const file = path.join(folder, 'bundle.cjs');
  if (existsSync(file)) return;
  // Several runs of jest may begin at the same time.
  const temporary = `${file}.${process.pid}`;
  buildSync({
    entryPoints: [path.join(folder, 'lib/index.js')],
    outfile: temporary,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['reflect-metadata'],
  });
  renameSync(temporary, file);
}
