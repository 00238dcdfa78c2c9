// Verifies that exports of authors compile with the versions of TypeScript before and after that of this project, as ES
// modules and as CommonJS, and that their types refuse what contradicts a declaration.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from './findings.mjs';

const root = path.resolve(import.meta.dirname, '..');
const author = path.join(root, 'spec/fixtures/author');
const COMPILERS = { 'TypeScript 5': 'typescript', 'TypeScript 7': 'typescript-7' };

function compile(folder, ...args) {
  const tsc = path.join(root, 'contract/node_modules', folder, 'bin/tsc');
  return spawnSync(process.execPath, [path.join(author, 'compile.mjs'), tsc, ...args], { encoding: 'utf8' });
}

/** The lines of the file that announce an error. */
function announced() {
  const lines = readFileSync(path.join(author, 'wrong.ts.txt'), 'utf8').split('\n');
  return lines.flatMap((line, at) => (line.endsWith('// error') ? [at + 1] : [])).join(' ');
}

export function declarations() {
  for (const [name, folder] of Object.entries(COMPILERS)) {
    for (const type of ['module', 'commonjs']) {
      const { status, stdout, stderr } = compile(folder, type);
      const isRight = status === 0 && stdout.includes('RestService');
      check(`${name} writes declarations of what authors export (${type})`, isRight ? [] : [stdout + stderr]);
    }
    const { stdout, stderr } = compile(folder, 'module', 'wrong.ts.txt');
    const found = [...stdout.matchAll(/^author\.ts\((\d+),/gm)].map(([, line]) => line).join(' ');
    check(`${name} refuses what contradicts a declaration`, found === announced() ? [] : [stdout + stderr]);
  }
}
