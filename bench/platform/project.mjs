// Projects to measure: the kernel with hosting alone, or everything in the sample configuration.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { guardFiles, guards } from './guards.mjs';

export const root = path.resolve(import.meta.dirname, '../..');

/** A copy of the build, which may be replaced meanwhile. Created by `npm run bench`. */
export const built = path.join(root, 'node_modules/.cache/platform/bench');

/** Neither log nor headers nor documentation: only what hosting requires. */
const HOSTING = ['content-negotiation', 'content-validation', 'mvc-auth', 'hosting'];

/**
 * The sample configuration, with the access log in a file.
 * @param {object} [changes] merged over it
 * @param {Record<string, string>} [files] further files, by path from the project's root
 */
export function sampleProject(changes = {}, files = {}) {
  const folder = newFolder();
  cpSync(path.join(root, 'config'), path.join(folder, 'config'), { recursive: true });
  cpSync(path.join(root, 'config/autoload/local.json.dist'), path.join(folder, 'config/autoload/local.json'));
  const log = { 'platform-operations': { access_log: { file: 'access.log' } } };
  write(folder, { 'config/autoload/bench.local.json': JSON.stringify({ ...log, ...changes }), ...files });
  return project(folder);
}

/**
 * A project with a module of this folder.
 * @param {'hosting' | 'everything'} kind with what hosting requires, or with all modules of the sample
 * @param {string} module its file name without the extension
 * @param {{ besides?: readonly string[], changes?: object, files?: Record<string, string> }} [options] modules that it
 * requires in addition to hosting, configuration, and further files by path from the project's root
 */
export function benchProject(kind, module, { besides = [], changes = {}, files: more = {} } = {}) {
  const guarded = module === 'guarded';
  const settings = { ...(guarded ? { 'platform-mvc-auth': { authentication: guards } } : {}), ...changes };
  const files = { ...(guarded ? guardFiles : {}), ...more };
  const made = kind === 'everything' ? sampleProject(settings, files) : project(newFolder());
  const { folder } = made;
  const sample = JSON.parse(readFileSync(path.join(root, 'config/application.json'), 'utf8')).modules;
  const modules = [
    ...(kind === 'everything' ? sample : [...HOSTING, ...besides]),
    `./bench/platform/${module}.mjs`,
  ];
  write(folder, { 'config/application.json': JSON.stringify({ modules }) });
  if (kind === 'hosting')
    write(folder, { 'config/autoload/bench.local.json': JSON.stringify(settings), ...files });
  for (const name of ['platform', 'sample'])
    cpSync(path.join(root, 'bench', name), path.join(folder, 'bench', name), { recursive: true });
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(built, path.join(folder, 'node_modules/apidesc-platform'));
  return made;
}

function newFolder() {
  return mkdtempSync(path.join(tmpdir(), 'bench-'));
}

function project(folder) {
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}
