import type { Command } from 'commander';
import path from 'node:path';
import type { CommandContext } from '../command-context';
import { runCommand } from '../run-command';
import { checkProject } from './check-project';
import { showConfiguration } from './show-configuration';
import { writeSchema } from './write-schema';

interface RootOption {
  readonly root: string;
}

/**
 * Registers `config check`, `config show [KEY]` and `config schema`. Their exit code is 0, or 1 if the configuration
 * has errors, which they print to `stderr`, one per line.
 */
export function registerConfig(program: Command, io: CommandContext): void {
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
