import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../repository';
import { packedPackage } from './packed-package';

/** The commands that scripts of projects call, by name: files below `node_modules`. */
const COMMANDS = {
  'apidesc-platform': 'apidesc-platform/dist/cli.js',
  eslint: 'eslint/bin/eslint.js',
  tsc: 'typescript/bin/tsc',
};

/** Installs the packed package in a project, next to links to all packages of the repository, as npm would. */
export function installPackage(project: string): void {
  const modules = path.join(project, 'node_modules');
  mkdirSync(path.join(modules, 'apidesc-platform'), { recursive: true });
  mkdirSync(path.join(modules, '.bin'));
  execFileSync('tar', [
    '-xzf',
    packedPackage().tarball,
    '--strip-components=1',
    '-C',
    path.join(modules, 'apidesc-platform'),
  ]);
  for (const name of readdirSync(path.join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  for (const [name, file] of Object.entries(COMMANDS))
    symlinkSync(path.join('..', file), path.join(modules, '.bin', name));
}
