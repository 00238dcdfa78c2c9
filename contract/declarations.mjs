// Verifies that exports of authors compile with the previous major version of TypeScript.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { check } from './findings.mjs';

const root = path.resolve(import.meta.dirname, '..');

export function declarations() {
  const compile = path.join(root, 'spec/fixtures/author/compile.mjs');
  const tsc = path.join(root, 'contract/node_modules/typescript/bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [compile, tsc], { encoding: 'utf8' });
  const isRight = status === 0 && stdout.includes('RestServiceDefinition');
  check('TypeScript 5 writes declarations of what authors export', isRight ? [] : [`${stdout}${stderr}`]);
}
