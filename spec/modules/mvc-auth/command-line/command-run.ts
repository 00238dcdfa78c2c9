import { Command } from 'commander';
import { PassThrough, Readable } from 'node:stream';
import type { CommandIo } from '../../../../src/modules/mvc-auth/command-line/command-io';
import { registerHtdigest } from '../../../../src/modules/mvc-auth/command-line/htdigest';
import { registerHtpasswd } from '../../../../src/modules/mvc-auth/command-line/htpasswd';
import { registerKey } from '../../../../src/modules/mvc-auth/command-line/key';

/** The output and exit code of a command. */
export interface CommandEnd {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs a command of the program inside the test's process; `input` is its standard input. */
export async function runHere(args: readonly string[], input = ''): Promise<CommandEnd> {
  const stdout = new PassThrough({ encoding: 'utf8' });
  const stderr = new PassThrough({ encoding: 'utf8' });
  let code: number | undefined;
  const io: CommandIo = {
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false }),
    stdout,
    stderr,
    exit: (given) => (code = given),
  };
  const program = new Command('platform')
    .exitOverride()
    .configureOutput({ writeErr: (text) => stderr.write(text) });
  registerHtdigest(program, io);
  registerHtpasswd(program, io);
  registerKey(program, io);
  await program.parseAsync([...args], { from: 'user' }).catch((error: unknown) => {
    code = error instanceof Error && 'exitCode' in error ? Number(error.exitCode) : -1;
  });
  return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
}
