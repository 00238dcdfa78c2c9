// Verifies that exports of authors compile with the versions of TypeScript before and after that of this project, as ES
// modules and as CommonJS, and that their types refuse what contradicts a declaration.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from './findings.mjs';

const root = path.resolve(import.meta.dirname, '..');
const author = path.join(root, 'spec/fixtures/author');
const COMPILERS = { 'TypeScript 5': 'typescript', 'TypeScript 7': 'typescript-7' };

/** The lines of the file that announce an error. */
function announced() {
  const lines = readFileSync(path.join(author, 'wrong.ts.txt'), 'utf8').split('\n');
  return lines.flatMap((line, at) => (line.endsWith('// error') ? [at + 1] : [])).join(' ');
}

export function declarations() {
  const compilations = Object.entries(COMPILERS).flatMap(([name, folder]) => {
    const tsc = path.join(root, 'contract/node_modules', folder, 'bin/tsc');
    return [
      { name, tsc, type: 'module', file: 'shop.ts.txt' },
      { name, tsc, type: 'commonjs', file: 'shop.ts.txt' },
      { name, tsc, type: 'module', file: 'wrong.ts.txt' },
    ];
  });
  const script = path.join(author, 'compile.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [script, JSON.stringify(compilations)], {
    encoding: 'utf8',
  });
  const compiled =
    stdout === '' ? compilations.map(() => ({ errors: stderr, declarations: '' })) : JSON.parse(stdout);
  for (const [at, { name, type, file }] of compilations.entries()) {
    const { errors, declarations: text } = compiled[at];
    if (file === 'wrong.ts.txt') {
      const found = [...errors.matchAll(/^author\.ts\((\d+),/gm)].map(([, line]) => line).join(' ');
      check(`${name} refuses what contradicts a declaration`, found === announced() ? [] : [errors]);
    } else {
      const isRight = errors === '' && text.includes('RestService');
      check(`${name} writes declarations of what authors export (${type})`, isRight ? [] : [errors + text]);
    }
  }
}
