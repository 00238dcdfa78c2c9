import { spawn } from 'node:child_process';
import path from 'node:path';

/** The built command-line tool: `npm test` builds before it tests. */
export const CLI = path.resolve(__dirname, '../../../dist/cli.js');

/** Runs a command in a terminal; of util-linux. */
const PSEUDO_TERMINAL = 'script';

/** How a process ended. */
export interface ProcessResult {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Starts a process, with the programs that the spec has declared, and waits for its end; `input` is written to its
 * standard input, which is then closed.
 */
export function run(command: string, args: readonly string[], input = ''): Promise<ProcessResult> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: 'pipe', env: process.env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', fail);
    child.on('close', (code) => done({ code, output }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Runs a command line in a pseudo terminal (`script` of util-linux), and types a response to each prompt. */
export function runOnTerminal(
  commandLine: string,
  dialogue: readonly (readonly [prompt: string, typed: string])[],
): Promise<ProcessResult> {
  return new Promise((done, fail) => {
    // Without `exec`, a shell that receives Ctrl+C too may end by the signal, whatever the program returned.
    const child = spawn(PSEUDO_TERMINAL, ['-qec', `exec ${commandLine}`, '/dev/null'], {
      stdio: 'pipe',
      env: process.env,
    });
    const waiting = [...dialogue];
    let output = '';
    let searched = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [next] = waiting;
      const at = next ? output.indexOf(next[0], searched) : -1;
      if (next && at !== -1) {
        searched = at + next[0].length;
        waiting.shift();
        child.stdin.write(next[1]);
      }
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, output }));
    child.stdin.on('error', () => undefined);
  });
}
