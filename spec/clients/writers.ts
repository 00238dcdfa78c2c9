import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CLI } from '../factories/processes/processes';

/** The command of a password file, and the arguments between its file and the user name. */
export interface Tool {
  readonly command: 'htdigest' | 'htpasswd';
  readonly options: readonly string[];
  readonly realm: readonly string[];
}

/** How a writing process ended. */
export interface WriterEnd {
  /** The users whose command succeeded, in order. */
  readonly written: readonly string[];
  readonly code: number | null;
  readonly errors: string;
}

/** A moment of a process: milliseconds after it printed a line, or after its start. */
export interface KillTime {
  readonly line?: string;
  readonly after: number;
}

const WRITER = path.join(__dirname, 'writer.mjs');

/** Sets the password of many users in sequence without a pause, until it is killed. */
export function write(
  tool: Tool,
  file: string,
  names: readonly string[],
  killed?: KillTime,
): Promise<WriterEnd> {
  const args = [WRITER, tool.command, file, ...tool.realm];
  return endOf(args, `${names.join('\n')}\n`, killed).then(({ lines, code, errors }) => ({
    written: lines.filter((line) => names.includes(line)),
    code,
    errors,
  }));
}

/** Sets the password of a user with the command as an operator runs it, until it is killed. */
export async function writeOne(
  tool: Tool,
  file: string,
  name: string,
  killed?: KillTime,
): Promise<WriterEnd> {
  const args = [CLI, tool.command, ...tool.options, file, ...tool.realm, name];
  const { lines, code, errors } = await endOf(args, 'secret\n', killed);
  return { written: lines.length > 0 ? [name] : [], code, errors };
}

interface ProcessEnd {
  readonly lines: readonly string[];
  readonly code: number | null;
  readonly errors: string;
}

function endOf(args: readonly string[], input: string, killed: KillTime | undefined): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'pipe' });
    let output = '';
    let errors = '';
    let isDue = false;
    const kill = (): void => {
      if (isDue || killed === undefined) return;
      if (killed.line !== undefined && !output.includes(`${killed.line}\n`)) return;
      isDue = true;
      void delay(killed.after).then(() => child.kill('SIGKILL'));
    };
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      kill();
    });
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ lines: output.split('\n').slice(0, -1), code, errors }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    kill();
  });
}
