import type { Command } from 'commander';
import path from 'node:path';
import { FileError, printableLines, Problem, StartError, type Environment } from '../framework';
import { describeProblem } from './outcome';
import { checkProject } from './check-project';
import { showConfiguration } from './show-configuration';
import { writeSchema } from './write-schema';

/** Where the commands write, and what they take environment variables from. */
export interface ConfigIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly environment: Environment;
  /** Told how the command ended; without it `process.exitCode` is set. */
  readonly exit?: (code: number) => void;
}

interface RootOption {
  readonly root: string;
}

/**
 * Registers `config check`, `config show [KEY]` and `config schema`. They end with 0, or with 1 when the
 * configuration has errors, which are on `stderr`, one a line.
 */
export function registerConfig(program: Command, io: ConfigIo): void {
  const config = program.command('config').description('check, show and describe the configuration');
  const command = (name: string, description: string): Command =>
    config
      .command(name)
      .description(description)
      .option('--root <folder>', 'the folder that holds config/', '.');

  command('check', 'tell every error, with file and key path; nothing is started').action(
    ({ root }: RootOption) => ending(io, () => checkProject(path.resolve(root), io)),
  );
  command('show', 'the effective value of each key, and where it comes from')
    .argument('[key]', 'only what stands at or below this key path, such as server or server.port')
    .option('--json', 'as JSON')
    .action((key: string | undefined, { root, json = false }: RootOption & { readonly json?: boolean }) =>
      ending(io, () => showConfiguration(path.resolve(root), io, { key, json })),
    );
  command('schema', 'write config/schema.json, by which editors complete and check configuration files')
    .option('--print', 'to the standard output instead')
    .action(({ root, print = false }: RootOption & { readonly print?: boolean }) =>
      ending(io, () => writeSchema(path.resolve(root), io, print)),
    );
}

/** Says on `stderr` why a command came to nothing, and reports how it ended. */
export async function ending(io: ConfigIo, command: () => Promise<void>): Promise<void> {
  const exit =
    io.exit ??
    ((code: number): void => {
      process.exitCode = code;
    });
  try {
    await command();
    exit(0);
  } catch (error) {
    // A message may hold what stands in somebody else's file.
    io.stderr.write(`${printableLines(sentenceOf(error))}\n`);
    exit(1);
  }
}

/** @throws what is not for people */
function sentenceOf(error: unknown): string {
  if (error instanceof Problem && error.status < 500) return describeProblem(error);
  if (error instanceof Problem || error instanceof StartError || error instanceof FileError)
    return error.message;
  throw error;
}
