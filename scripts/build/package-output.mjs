// Finishes the output of the compiler in dist: code and declarations import the bundles in dist/vendor instead of the
// packages, code imports what is rarely needed on first use, modules without code are removed, and of the declarations only
// those that the public entry points lead to are published.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { bundledModules, bundledPackages, bundleName } from './bundle.mjs';
import { withDeferredImports } from '../deferred-imports.mjs';
import { filesBelow, root } from '../up-to-date.mjs';

const dist = path.join(root, 'dist');
/** The compiler writes every declaration to this folder: see `declarationDir` in tsconfig.build.json. */
const declarations = path.join(dist, '.declarations');
const ENTRY_POINTS = ['platform.d.ts', 'testing/index.d.ts', 'client/index.d.ts'];

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const installed = new Set([
  ...Object.keys(manifest.dependencies),
  ...builtinModules.flatMap((name) => [name, `node:${name}`]),
]);
const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0];

/** The files of dist that the compiler wrote, relative to it. */
function compiled(extension) {
  return filesBelow('dist')
    .map((file) => path.relative('dist', file))
    .filter((file) => file.endsWith(extension) && !/^(vendor|\.declarations)[/\\]/.test(file));
}

/** The path of a bundle as a file of dist imports it. */
function pathToBundle(file, name) {
  const relative = path.posix.relative(
    path.posix.dirname(file.replaceAll('\\', '/')),
    `vendor/${bundleName(name)}`,
  );
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/**
 * Removes the comments of compiled code, which are in the declarations and in the sources: they would be a tenth of the
 * package. Their lines stay, so that source maps and the places of errors do not change.
 */
function withoutComments(ts, text) {
  const source = ts.createSourceFile('file.js', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const comments = new Map();
  const collect = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
      comments.set(pos, end);
    ts.forEachChild(node, collect);
  };
  collect(source);
  collect(source.endOfFileToken);
  let result = text;
  for (const [pos, end] of [...comments].sort(([a], [b]) => b - a)) {
    const comment = text.slice(pos, end);
    if (/sourceMappingURL|^#!/.test(comment)) continue;
    const line = text.lastIndexOf('\n', pos - 1) + 1;
    const start = text.slice(line, pos).trim() === '' ? line : pos;
    result = result.slice(0, start) + comment.replace(/[^\n]/g, '') + result.slice(end);
  }
  return result;
}

/**
 * Indents compiled code with tabs instead of four spaces, but for the text of templates: on a disk with blocks of 4 KB, the
 * package takes 0.3 MB less.
 */
function indentedWithTabs(ts, text) {
  const source = ts.createSourceFile('file.js', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const templates = [];
  const collect = (node) => {
    if (ts.isTemplateLiteralToken(node)) templates.push([node.getStart(source), node.end]);
    ts.forEachChild(node, collect);
  };
  collect(source);
  return text.replaceAll(/^(?: {4})+/gm, (spaces, at) =>
    templates.some(([start, end]) => start < at && at < end) ? spaces : '\t'.repeat(spaces.length / 4),
  );
}

/** A module that declares only types: no compiled code imports it. */
const ONLY_TYPES =
  /^"use strict";\s*Object\.defineProperty\(exports, "__esModule", \{ value: true \}\);\s*(?:\/\/# sourceMappingURL=\S+\s*)?$/;

async function finishCode() {
  // Imported here, because it is not installed before the first step of the build.
  const { default: ts } = await import('typescript');
  const modules = [...bundledModules.keys()].join('|');
  // Sources that load a package on first use create a `load` function for their folder.
  const required = new RegExp(`\\b(require|load)\\((["'])(${modules})\\2\\)`, 'g');
  for (const file of compiled('.js')) {
    const full = path.join(dist, file);
    const text = readFileSync(full, 'utf8');
    const bundled = indentedWithTabs(ts, withoutComments(ts, text)).replace(
      required,
      (_, load, quote, module) => {
        const { name, member } = bundledModules.get(module);
        return `${load}("${pathToBundle(file, name)}")${member === undefined ? '' : `["${member}"]`}`;
      },
    );
    const changed = withDeferredImports(ts, file, bundled);
    if (ONLY_TYPES.test(changed)) for (const one of [full, `${full}.map`]) rmSync(one, { force: true });
    else if (changed !== text) writeFileSync(full, changed);
  }
}

/** The declaration file that a relative import of another one means. */
function resolveDeclaration(file, specifier, known) {
  const base = path.posix.join(path.posix.dirname(file), specifier.replace(/\.js$/, ''));
  const found = [`${base}.d.ts`, path.posix.join(base, 'index.d.ts')].find((one) => known.has(one));
  if (found === undefined) throw new Error(`dist/${file} imports "${specifier}", which has no declarations.`);
  return found;
}

/** The specifier of a package as published declarations import it. */
function publishedSpecifier(file, specifier) {
  const name = packageOf(specifier);
  const bundled = bundledPackages.find((one) => one.name === name);
  if (bundled?.declarations === true && specifier === name) return pathToBundle(file, name);
  if (installed.has(name)) return specifier;
  throw new Error(
    `dist/${file} belongs to the public declarations and imports "${specifier}", which is not installed with the ` +
      'package. Add it to "dependencies", or to scripts/bundled.json with "declarations": true.',
  );
}

/** Writes the declarations that the entry points lead to. */
async function publishDeclarations() {
  // Imported here, because it is not installed before the first step of the build.
  const { default: ts } = await import('typescript');
  for (const file of compiled('.d.ts')) rmSync(path.join(dist, file));
  const known = new Set(
    readdirSync(declarations, { recursive: true }).map((file) => file.replaceAll('\\', '/')),
  );
  const published = new Set(ENTRY_POINTS);
  for (const file of published) {
    let text = readFileSync(path.join(declarations, file), 'utf8');
    // From the end, so that the positions before stay. They are those of the opening quotes.
    for (const { fileName, pos } of ts.preProcessFile(text).importedFiles.reverse()) {
      if (fileName.startsWith('.')) published.add(resolveDeclaration(file, fileName, known));
      else
        text = `${text.slice(0, pos + 1)}${publishedSpecifier(file, fileName)}${text.slice(pos + 1 + fileName.length)}`;
    }
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    writeFileSync(path.join(dist, file), text);
  }
}

/** Bundles the client, with code of the documentation console, into one ES module for programs and browsers. */
async function bundleClient() {
  // Imported here, because it is not installed before the first step of the build.
  const esbuild = await import('esbuild');
  rmSync(path.join(dist, 'client'), { recursive: true, force: true });
  await esbuild.build({
    entryPoints: [path.join(root, 'src/client/index.ts')],
    outfile: path.join(dist, 'client/index.mjs'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'utf8',
    logLevel: 'warning',
  });
}

export async function packageOutput() {
  await bundleClient();
  await finishCode();
  await publishDeclarations();
}
