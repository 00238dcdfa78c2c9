import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { UsageError } from '../usage-error';

/** Receives the number of errors after each compilation. */
export type OnCompiled = (errors: number) => void;

/**
 * Starts the TypeScript compiler of a project, which compiles whenever a source changes; it prints its errors.
 * @returns undefined for a project without `tsconfig.json`
 * @throws UsageError if the project has a `tsconfig.json` and no compiler
 */
export function startCompiler(
  root: string,
  stderr: { write(text: string): unknown },
  onCompiled: OnCompiled,
): ChildProcess | undefined {
  if (!existsSync(path.join(root, 'tsconfig.json'))) return undefined;
  const compiler = fork(
    compilerOf(root),
    ['--project', root, '--watch', '--preserveWatchOutput', ...(process.stderr.isTTY ? ['--pretty'] : [])],
    {
      cwd: root,
      execArgv: ['--require', path.join(__dirname, 'end-with-parent.js')],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      detached: true,
    },
  );
  let rest = '';
  compiler.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, errors] = /\bFound (\d+) errors?\b/.exec(stripVTControlCharacters(line)) ?? [];
      if (errors !== undefined) onCompiled(Number(errors));
      else if (!isProgress(line)) stderr.write(`${line}\n`);
    }
  });
  return compiler;
}

function compilerOf(root: string): string {
  let manifest: string;
  try {
    manifest = createRequire(path.join(root, 'package.json')).resolve('typescript/package.json');
  } catch {
    throw new UsageError(
      `${path.join(root, 'tsconfig.json')} needs the package "typescript", which is not installed. Run: npm install --save-dev typescript`,
    );
  }
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly bin: { readonly tsc: string } };
  return path.join(path.dirname(manifest), bin.tsc);
}

/** Whether a line of the compiler only says that it works, or is empty. */
function isProgress(line: string): boolean {
  return /^\s*$|Starting (?:incremental )?compilation|File change detected/.test(
    stripVTControlCharacters(line),
  );
}
