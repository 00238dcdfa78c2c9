import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './factories/platform';
import { run } from './factories/processes';

/** The maximum installed size of the package, in bytes of file content. */
const MAX_INSTALLED_BYTES = 25_000_000;

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const manifest = readJson('package.json') as {
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
};
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', ROOT, '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ readonly unpackedSize: number; readonly files: readonly { readonly path: string }[] }];
const files = packed.files.map((file) => file.path);

/** The bytes in a folder, without the packages that are installed in it. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => path.join(folder, entry.name))
    .reduce((sum, file) => sum + (statSync(file).isDirectory() ? sizeOf(file) : statSync(file).size), 0);
}

describe('the packed package', () => {
  it('contains the product, and neither the sample API nor its configuration', () => {
    for (const file of ['dist/cli.js', 'dist/index.js', 'dist/platform.d.ts', 'templates/assets/pico.css'])
      expect(files).toContain(file);
    expect(files.filter((file) => /atlas|^config\/|\.map$|^src\/|^spec\//.test(file))).toEqual([]);
  });

  it('provides its command under two names, so that npx cannot fetch an unrelated package', () => {
    expect(manifest.bin).toEqual({ 'apidesc-platform': 'dist/cli.js', platform: 'dist/cli.js' });
  });

  it('installs within 25 MB, with all its dependencies', () => {
    const { packages } = readJson('package-lock.json') as {
      readonly packages: Readonly<Record<string, LockedPackage>>;
    };
    const installed = Object.entries(packages)
      .filter(([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true)
      // Optional binaries for other systems are not installed here.
      .filter(([folder, { optional }]) => optional !== true || existsSync(path.join(ROOT, folder)))
      .map(([folder]) => sizeOf(path.join(ROOT, folder)));
    expect(installed.length).toBeGreaterThan(20);
    const bytes = installed.reduce((sum, size) => sum + size, packed.unpackedSize);
    expect(bytes).toBeLessThanOrEqual(MAX_INSTALLED_BYTES);
  });

  it('depends only on packages that its code loads', () => {
    const code = files
      .filter((file) => file.endsWith('.js') && file.startsWith('dist/'))
      .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
      .join('\n');
    const unused = Object.keys(manifest.dependencies).filter(
      (name) => !new RegExp(`(require|import|load|resolve)\\(["']${name}(/[^"']*)?["']\\)`).test(code),
    );
    expect(unused).toEqual([]);
  });
});

describe('the files copied from development dependencies', () => {
  it('equal those of the installed versions; otherwise run: npm run build', async () => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { vendoredFiles } from './scripts/vendor.mjs';
      for (const [file, text] of Object.entries(vendoredFiles()))
        if (readFileSync(file, 'utf8') !== text) console.log(file);
      console.log('compared');`;
    const { code, output } = await run('sh', [
      '-c',
      'cd "$0" && exec "$1" --input-type=module -e "$2"',
      ROOT,
      process.execPath,
      script,
    ]);
    expect({ code, output }).toEqual({ code: 0, output: 'compared\n' });
  });
});
