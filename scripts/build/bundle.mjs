// Bundles the packages of bundled.json into dist/vendor, one file each. Of these packages little runs compared to what
// npm would install; they are development dependencies, so that installing the platform stays small. Their licenses are
// written to NOTICE, which is committed.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { filesBelow, root, unlessUpToDate } from '../up-to-date.mjs';

const require = createRequire(import.meta.url);
const folder = path.join(root, 'dist', 'vendor');

/** The oldest supported version of Node: see `engines` in package.json. */
const TARGET = 'node20';

/** The generated part of NOTICE begins with this line. */
const NOTICE_HEADING = 'The following packages are bundled in dist/vendor.';

/**
 * - `exports` names what the product uses of a package that is mostly something else: nothing more is bundled.
 * - `paths` are the modules that the product loads, where they are several: each is a member of the bundle, evaluated when
 *   it is first read.
 * - `in` is the package in whose bundle the modules are.
 * - `deferred` names packages that the package imports at once and needs rarely: they are loaded on first use, from where
 *   they are installed with the package, which has to be a dependency.
 * @type {readonly { name: string, declarations?: boolean, comments?: boolean, exports?: readonly string[], paths?: readonly string[], in?: string, deferred?: readonly string[] }[]}
 */
export const bundledPackages = JSON.parse(readFileSync(path.join(root, 'scripts/bundled.json'), 'utf8'));
const bundles = bundledPackages.filter((one) => one.in === undefined);

/**
 * The modules that are bundled, by the specifier of the compiled sources: the package of the bundle, and the member that it
 * is there, unless it is the bundle.
 * @type {ReadonlyMap<string, { name: string, member?: string }>}
 */
export const bundledModules = new Map(
  bundles.flatMap(({ name, paths }) =>
    paths === undefined ? [[name, { name }]] : paths.map((member) => [member, { name, member }]),
  ),
);

/** The name of a bundle in dist/vendor: that of the package without its scope. */
export const bundleName = (name) => name.slice(name.lastIndexOf('/') + 1);

const fileOf = (name) => path.join(folder, `${bundleName(name)}.js`);

/** Installed with the package. Bundles load them: no package exists twice. */
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

function entryOf(name, used, paths) {
  const require = (module) => `require(${JSON.stringify(module)})`;
  if (used !== undefined) return `export { ${used.join(', ')} } from ${JSON.stringify(name)};`;
  if (paths === undefined) return `module.exports = ${require(name)};`;
  const members = paths.map((one) => `get ${JSON.stringify(one)}() { return ${require(one)}; }`);
  return `module.exports = { ${members.join(', ')} };`;
}

/** An esbuild plugin that puts an object in place of packages, which loads them when a member is first read. */
const deferring = (name, names) => ({
  name: 'deferring',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path: specifier }) =>
      names.includes(specifier) ? { path: specifier, namespace: 'deferred' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'deferred' }, ({ path: specifier }) => ({
      contents: `
        const { createRequire } = require('node:module');
        const load = () => createRequire(createRequire(__filename).resolve(${JSON.stringify(name)}))(${JSON.stringify(specifier)});
        let loaded;
        module.exports = new Proxy({}, { get: (_, member) => (loaded ??= load())[member] });`,
    }));
  },
});

/** Writes the code of a package. Returns the folders of the packages in it. */
async function bundleCode({ name, exports: used, paths, deferred = [] }) {
  // Imported here, because it is not installed before the first step of the build.
  const esbuild = await import('esbuild');
  const { metafile, outputFiles } = await esbuild.build({
    // Required as the compiled sources require it, so that its entry point and exports are the same.
    stdin: {
      contents: entryOf(name, used, paths),
      resolveDir: root,
    },
    outfile: fileOf(name),
    write: false,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: TARGET,
    external: Object.keys(dependencies).filter((one) => one !== name),
    // Both define the same functions of Reflect; the platform and modules import reflect-metadata.
    alias: { 'reflect-metadata/lite': 'reflect-metadata' },
    plugins: deferred.length === 0 ? [] : [deferring(name, deferred)],
    // Of ES modules, what is not used can be left out.
    ...(used === undefined ? {} : { mainFields: ['module', 'main'] }),
    format: 'cjs',
    charset: 'utf8',
    minify: true,
    // Node prints the line of code of an uncaught error.
    lineLimit: 160,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  const folders = Object.keys(metafile.inputs)
    .map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
    .filter((found) => found !== undefined);
  const names = new Set(folders.map((one) => one.slice(one.lastIndexOf('node_modules/') + 13)));
  const code = outputFiles[0].text;
  writeFileSync(fileOf(name), `// Contains ${[...names].sort().join(', ')}.\n${code}`);
  return folders;
}

/**
 * Writes the declarations of a package.
 * @param comments most of the declarations of some packages are examples, which every installation would contain
 */
async function bundleDeclarations({ name, comments = true }) {
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')]);
  const main = require.resolve(name);
  const { types } = JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8'));
  const bundle = await rollup({
    input:
      types === undefined ? main.replace(/\.js$/, '.d.ts') : path.join(root, 'node_modules', name, types),
    // The declarations are parsed, not checked: the library of the language would only take time.
    plugins: [dts({ includeExternal: [name], compilerOptions: { noLib: true, types: [] } })],
    onwarn: ({ message }) => {
      throw new Error(`The declarations of ${name} cannot be bundled: ${message}`);
    },
  });
  const file = path.join(folder, `${bundleName(name)}.d.ts`);
  await bundle.write({ file, format: 'es' });
  const { default: ts } = await import('typescript');
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const { transformed } = ts.transform(source, [globalTypes(ts)]);
  writeFileSync(file, ts.createPrinter({ removeComments: !comments }).printFile(transformed[0]));
}

/**
 * Names the types of the language again. Where a package declares a function such as `Omit`, the bundler renames it to
 * `Omit$1`, and with it the type `Omit` of the language, which would be unknown then: the compiler takes it for `any`.
 */
function globalTypes(ts) {
  const typeKinds = [
    ts.SyntaxKind.InterfaceDeclaration,
    ts.SyntaxKind.TypeAliasDeclaration,
    ts.SyntaxKind.ClassDeclaration,
    ts.SyntaxKind.EnumDeclaration,
    ts.SyntaxKind.ModuleDeclaration,
    ts.SyntaxKind.ImportDeclaration,
  ];
  return (context) => (source) => {
    const namesOf = (kinds) =>
      source.statements.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name?.text);
    const types = new Set(namesOf(typeKinds));
    const functions = new Set(namesOf([ts.SyntaxKind.FunctionDeclaration]));
    const visit = (node) => {
      const name = ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) ? node.typeName.text : '';
      const [, original] = /^(.+)\$\d+$/.exec(name) ?? [];
      const visited = ts.visitEachChild(node, visit, context);
      return original === undefined || types.has(name) || !functions.has(name)
        ? visited
        : context.factory.updateTypeReferenceNode(
            visited,
            context.factory.createIdentifier(original),
            visited.typeArguments,
          );
    };
    return ts.visitEachChild(source, visit, context);
  };
}

/** A package as NOTICE lists it, with the text of its license. */
function licenseOf(folder) {
  const directory = path.join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${folder} contains no license: it cannot be bundled.`);
  const text = readFileSync(path.join(directory, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text.replaceAll('\r\n', '\n').replace(/^/gm, '    ').replace(/ +$/gm, '')}\n`;
}

/** Replaces the generated part of NOTICE. */
function writeNotice(folders) {
  const file = path.join(root, 'NOTICE');
  const text = readFileSync(file, 'utf8');
  const [written] = text.split(`${NOTICE_HEADING}\n`);
  const licenses = [...new Set(folders)].sort().map(licenseOf).join('\n');
  const updated = `${written.trimEnd()}\n\n${NOTICE_HEADING}\n\n${licenses}`;
  if (updated !== text) writeFileSync(file, updated);
}

/** Writes dist/vendor and the licenses in NOTICE, unless they are up to date. */
export async function bundle() {
  const inputs = filesBelow('package-lock.json', 'scripts/build/bundle.mjs', 'scripts/bundled.json');
  const work = async () => {
    console.log('Bundling dependencies …');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const withDeclarations = bundledPackages.filter(({ declarations }) => declarations === true);
    const [folders] = await Promise.all([
      Promise.all(bundles.map(bundleCode)),
      Promise.all(withDeclarations.map(bundleDeclarations)),
    ]);
    writeNotice(folders.flat());
  };
  // An incomplete folder is written again.
  const missing = bundles.find(({ name }) => !existsSync(fileOf(name))) ?? bundles[0];
  await unlessUpToDate('bundle', inputs, work, path.relative(root, fileOf(missing.name)));
}
