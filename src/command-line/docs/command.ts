import type { Command } from 'commander';
import path from 'node:path';
import { runCommand } from '../run-command';
import type { CommandContext } from '../command-context';
import { checkDocumentation, type CheckOptions } from './check';
import { exportDocumentation } from './export';

interface ExportOptions {
  readonly root: string;
  readonly force?: boolean;
}

/** Registers `docs export DIR` and `docs check`. */
export function registerDocs(program: Command, io: CommandContext): void {
  const docs = program
    .command('docs')
    .description('export the documentation; verify it against the running service');
  docs
    .command('export')
    .description('write the documentation that guests may read, in every format, as static files')
    .argument('<folder>', 'target folder; must be empty or not exist')
    .option('--root <folder>', 'the folder that contains config/', '.')
    .option('--force', 'replace an earlier export, with everything in its folder')
    .action((folder: string, { root, force = false }: ExportOptions) =>
      runCommand(io, () => exportDocumentation(path.resolve(root), path.resolve(folder), io, { force })),
    );
  docs
    .command('check')
    .description('call every operation with its documented examples, as a guest, and list differences')
    .option(
      '--origin <url>',
      'running service, with its base path (default: serve the project during the check)',
    )
    .option('--write', 'also call operations that may change data')
    .option('--timeout <seconds>', 'how long a response may take', '30')
    .option('--root <folder>', 'the folder that contains config/', '.')
    .action(({ root, ...options }: CheckOptions & { readonly root: string }) =>
      runCommand(io, () => checkDocumentation(path.resolve(root), io, options)),
    );
}
