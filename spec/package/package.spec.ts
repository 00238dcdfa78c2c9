import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import { packedPackage } from '../factories/processes/packed-package';
import { run } from '../factories/processes/processes';
import { ROOT } from '../factories/repository';
import { MODULE_SETTINGS, programWith } from './module-settings';

/** The maximum size of an installation on a disk with blocks of 4 KB, as `du` reports it. */
const MAX_INSTALLED_BYTES = 26_000_000;
const BLOCK = 4096;

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
const manifest = readJson('package.json') as {
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const { files } = packedPackage();
const contains = new Set(files);
const code = files.filter((file) => file.endsWith('.js') && file.startsWith('dist/'));
const textOf = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const sizeOfFile = (file: string): number => Math.ceil(statSync(file).size / BLOCK) * BLOCK;

/** The size of a folder in bytes, without the packages installed in it. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => [entry.isDirectory(), path.join(folder, entry.name)] as const)
    .reduce((sum, [isFolder, file]) => sum + (isFolder ? sizeOf(file) : sizeOfFile(file)), BLOCK);
}

/** The size of the packed files and their folders. */
function packedSize(): number {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = path.dirname(file); !folders.has(at); at = path.dirname(at)) folders.add(at);
  return files.reduce((sum, file) => sum + sizeOfFile(path.join(ROOT, file)), folders.size * BLOCK);
}

/** The specifiers that a compiled file loads, without those in comments and in texts of code that nothing executes. */
function loadedBy(file: string): readonly string[] {
  const code = textOf(file).replaceAll(/^ *(?:\*|\/\/).*$/gm, '');
  const loads = code.matchAll(/(?<![.\w'"`])(?:require|import|load|resolve)\((["'])([^"'\n]+)\1\)/g);
  return [...loads].map(([, , specifier = '']) => specifier);
}

/** The specifiers that a declaration file imports. */
const importedBy = (file: string): readonly string[] =>
  ts.preProcessFile(textOf(file)).importedFiles.map(({ fileName }) => fileName);

/** Whether a specifier resolves to a packed file, a built-in module of Node or a dependency. */
function isInstalled(file: string, specifier: string, extensions: readonly string[]): boolean {
  if (!specifier.startsWith('.'))
    return isBuiltin(specifier) || packageOf(specifier) in manifest.dependencies;
  const base = path.posix.join(path.posix.dirname(file), specifier);
  return ['', ...extensions].some((end) => contains.has(`${base}${end}`));
}

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

/** Bundled, because a start is faster then, and dependencies all the same: whoever reads the package sees them. */
const BUILT_ON = ['accepts', 'inversify', 'mitt'];

describe('the packed package', () => {
  it('contains the product, and neither the sample API nor its configuration', () => {
    for (const file of ['dist/cli.js', 'dist/index.js', 'dist/platform.d.ts', 'templates/assets/pico.css'])
      expect(files).toContain(file);
    expect(files.filter((file) => /atlas|^config\/|\.map$|^src\/|^spec\//.test(file))).toEqual([]);
  });

  it('provides its command under two names, so that npx cannot fetch an unrelated package', () => {
    expect(manifest.bin).toEqual({ 'apidesc-platform': 'dist/cli.js', platform: 'dist/cli.js' });
  });

  it('has no files of modules that declare only types', () => {
    const statements =
      /"use strict";|Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);|\/\/.*/g;
    expect(code.filter((file) => textOf(file).replace(statements, '').trim() === '')).toEqual([]);
  });

  it('takes at most 26 MB on disk, with all its dependencies', () => {
    const { packages } = readJson('package-lock.json') as {
      readonly packages: Readonly<Record<string, LockedPackage>>;
    };
    const installed = Object.entries(packages)
      .filter(([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true)
      // Optional binaries for other systems are not installed here.
      .filter(([folder, { optional }]) => optional !== true || existsSync(path.join(ROOT, folder)))
      .map(([folder]) => sizeOf(path.join(ROOT, folder)));
    expect(installed.length).toBeGreaterThan(20);
    const bytes = installed.reduce((sum, size) => sum + size, packedSize());
    expect(bytes).toBeLessThanOrEqual(MAX_INSTALLED_BYTES);
  });

  it('depends only on packages that its code or its declarations load, or that the framework is built on', () => {
    const declarations = files.filter((file) => file.endsWith('.d.ts')).flatMap(importedBy);
    const loaded = new Set([...code.flatMap(loadedBy), ...declarations].map(packageOf));
    const unused = Object.keys(manifest.dependencies).filter((name) => !loaded.has(name));
    expect(unused.filter((name) => !BUILT_ON.includes(name))).toEqual([]);
  });

  it('loads only packed files, built-in modules and dependencies; otherwise run: npm run build', () => {
    const missing = code
      .flatMap((file) => loadedBy(file).map((specifier) => [file, specifier] as const))
      .filter(([file, specifier]) => !isInstalled(file, specifier, ['.js', '.json', '/index.js']))
      // Loaded only in the repository, which contains the sample API.
      .filter(([, specifier]) => specifier !== './atlas')
      // Drivers are installed by projects that use them.
      .filter(([, specifier]) => !Object.hasOwn(manifest.peerDependencies, specifier));
    expect(missing).toEqual([]);
  });

  it('contains exactly the declarations that its entry points import', () => {
    const ends = ['.d.ts', '/index.d.ts'];
    const reached = new Set(['dist/platform.d.ts', 'dist/testing/index.d.ts', 'dist/client/index.d.ts']);
    for (const file of reached) {
      for (const specifier of importedBy(file)) {
        expect({ file, specifier, isInstalled: isInstalled(file, specifier, ends) }).toMatchObject({
          isInstalled: true,
        });
        if (!specifier.startsWith('.')) continue;
        const base = path.posix.join(path.posix.dirname(file), specifier);
        reached.add(ends.map((end) => `${base}${end}`).find((one) => contains.has(one))!);
      }
    }
    expect(reached.size).toBeGreaterThan(100);
    expect(files.filter((file) => file.endsWith('.d.ts')).sort()).toEqual([...reached].sort());
  });

  it('has declarations without errors, for which compilers that skip them would take any', () => {
    const { own, errors } = programWith('node20');
    expect(own.length).toBeGreaterThan(100);
    expect(errors.filter(({ file }) => own.includes(file)).map(({ text }) => text)).toEqual([]);
  }, 120_000);

  it.each(Object.keys(MODULE_SETTINGS))(
    'has types without errors for a program with the module setting "%s"',
    (name) => {
      expect(textOf('docs/guides/first-api.md')).toContain(`"${name}"`);
      expect(programWith(name).errors.map(({ text }) => text)).toEqual([]);
    },
    120_000,
  );

  it('contains the code and the files for deployments that its guides name', () => {
    const named = files
      .filter((file) => file.startsWith('docs/'))
      .flatMap((file) => [...textOf(file).matchAll(/[` ]((?:(?:dist|src)\/modules|deploy)\/[\w./-]+)/g)])
      .map(([, name = '']) => name.replace(/\/$/, ''));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !files.some((one) => `${one}/`.startsWith(`${name}/`)))).toEqual([]);
  });

  it('contains the files that its guides and its README link to', () => {
    const missing = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        // Code shows links of other documents.
        [
          ...textOf(file)
            .replace(/`[^`\n]*`/g, '')
            .matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g),
        ].map(([, link = '']) => [file, link] as const),
      )
      .filter(([file, link]) => {
        const target = path.posix.join(path.posix.dirname(file), link);
        return !contains.has(target) && !files.some((one) => one.startsWith(`${target}/`));
      });
    expect(missing).toEqual([]);
  });
});

describe('the packages that the build bundles', () => {
  it('are listed in NOTICE, with their versions and licenses; otherwise run: npm run build', () => {
    const notice = textOf('NOTICE');
    const bundled = code
      .filter((file) => file.startsWith('dist/vendor/'))
      // The build writes the names of the packages into the first line.
      .flatMap((file) => /^\/\/ Contains (.+)\.$/m.exec(textOf(file))?.[1]?.split(', ') ?? []);
    const missing = [...new Set(bundled)].filter((name) => {
      const { version, license } = readJson(`node_modules/${name}/package.json`) as {
        readonly version: string;
        readonly license: string;
      };
      return !notice.includes(`\n${name} ${version} (${license})\n\n    `);
    });
    expect(new Set(bundled).size).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  it('are development dependencies, so that npm does not install them, but those that the framework is built on', () => {
    const names = (readJson('scripts/bundled.json') as readonly { readonly name: string }[]).map(
      ({ name }) => name,
    );
    expect(names.filter((name) => !(name in manifest.devDependencies))).toEqual(BUILT_ON);
    expect(names.filter((name) => name in manifest.dependencies)).toEqual(BUILT_ON);
  });
});

describe('the files copied from development dependencies', () => {
  it('equal those of the installed versions; otherwise run: npm run build', async () => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { vendoredFiles } from './scripts/build/vendor.mjs';
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
