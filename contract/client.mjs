// Generates types with openapi-typescript, then compiles and runs a client that uses them.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { check } from './findings.mjs';
import { USER } from './project.mjs';
import { tool } from './tool.mjs';

/** Inside node_modules, so that generated files resolve their imports. */
const GENERATED = path.join(import.meta.dirname, 'node_modules', '.cache', 'contract', 'client');

const COMPILER = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  // The generated types and those of the packages.
  skipLibCheck: false,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
  outDir: 'out',
};

/** @param {{ name: string, file: string }[]} documents */
export async function client(origin, documents) {
  rmSync(GENERATED, { recursive: true, force: true });
  mkdirSync(GENERATED, { recursive: true });
  for (const { name, file } of documents) {
    const { code, output, errors } = await tool('openapi-typescript/bin/cli.js', [
      file,
      // Members with a default are optional in requests; the tool requires them by default.
      '--default-non-nullable=false',
      '--output',
      path.join(GENERATED, `${name}.ts`),
    ]);
    check(`openapi-typescript: ${name}`, code === 0 ? [] : [output + errors]);
  }
  copyFileSync(path.join(import.meta.dirname, 'client.mts'), path.join(GENERATED, 'client.mts'));
  writeFileSync(path.join(GENERATED, 'package.json'), '{"type":"module"}');
  writeFileSync(
    path.join(GENERATED, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER, include: ['*.mts', '*.ts'] }),
  );
  const compiled = await tool('typescript/bin/tsc', ['--project', GENERATED]);
  check('the generated client compiles under strict', compiled.code === 0 ? [] : [compiled.output]);
  if (compiled.code !== 0) return;
  const out = path.relative(path.join(import.meta.dirname, 'node_modules'), path.join(GENERATED, 'out'));
  const { code, output, errors } = await tool(path.join(out, 'client.mjs'), [
    origin,
    USER.name,
    USER.password,
  ]);
  check('the generated client calls the running server', code === 0 ? JSON.parse(output) : [output + errors]);
}
