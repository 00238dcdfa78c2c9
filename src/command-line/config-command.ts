import type { Command } from 'commander';
import path from 'node:path';
import { FileError, printableLines, Problem, ConfigurationError, type Environment } from '../framework';
import { describeProblem } from './report';
import { reportUnsettled } from './unsettled-startup';
import { UsageError } from './usage-error';
import { checkProject } from './check-project';
import { showConfiguration } from './show-configuration';
import { writeSchema } from './write-schema';

/** The output streams and environment variables of a command. */
export interface ConfigIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly environment: Environment;
  /** Receives the exit code; sets `process.exitCode` by default. */
  readonly exit?: (code: number) => void;
}

interface RootOption {
  readonly root: string;
}

/**
 * Registers `config check`, `config show [KEY]` and `config schema`. Their exit code is 0, or 1 if the configuration
 * has errors, which they print to `stderr`, one per line.
 */
export function registerConfig(program: Command, io: ConfigIo): void {
  const config = program
    .command('config')
    .description('check and show the configuration, and write its JSON Schema');
  const command = (name: string, description: string): Command =>
    config
      .command(name)
      .description(description)
      .option('--root <folder>', 'the folder that contains config/', '.');

  command('check', 'report every error with file and key path, without starting the server').action(
    ({ root }: RootOption) => runCommand(io, () => checkProject(path.resolve(root), io)),
  );
  command('show', 'print the effective value of each key, and its source')
    .argument('[key]', 'print only this key path and those below it, such as server or server.port')
    .option('--json', 'print JSON')
    .action((key: string | undefined, { root, json = false }: RootOption & { readonly json?: boolean }) =>
      runCommand(io, () => showConfiguration(path.resolve(root), io, { key, json })),
    );
  command('schema', 'write config/schema.json, for completion and validation in editors')
    .option('--print', 'print to standard output instead')
    .action(({ root, print = false }: RootOption & { readonly print?: boolean }) =>
      runCommand(io, () => writeSchema(path.resolve(root), io, print)),
    );
}

/** Runs a command, prints the message of an error to `stderr`, and sets the exit code. */
export async function runCommand(io: ConfigIo, command: () => Promise<void>): Promise<void> {
  const exit =
    io.exit ??
    ((code: number): void => {
      process.exitCode = code;
    });
  try {
    await reportUnsettled(io.stderr, command);
    exit(0);
  } catch (error) {
    // A message may quote the content of a file.
    io.stderr.write(`${printableLines(messageOf(error))}\n`);
    exit(1);
  }
}

/** @throws the error itself if its message is not meant for users */
function messageOf(error: unknown): string {
  if (error instanceof Problem && error.status < 500) return describeProblem(error);
  const forUsers = [Problem, ConfigurationError, FileError, UsageError];
  if (error instanceof Error && forUsers.some((type) => error instanceof type)) return error.message;
  throw error;
}
