import type { Command } from 'commander';
import path from 'node:path';
import { ending, type ConfigIo } from './config-command';
import { checkDocumentation, type CheckOptions } from './docs-check';
import { exportDocumentation } from './docs-export';

interface ExportOptions {
  readonly root: string;
  readonly force?: boolean;
}

/** Registers `docs export DIR` and `docs check`. */
export function registerDocs(program: Command, io: ConfigIo): void {
  const docs = program.command('docs').description('the documentation: take it along, hold it to its word');
  docs
    .command('export')
    .description('write what guests may read, in every format, as static files that need no server')
    .argument('<folder>', 'where to; it must not be there, or be empty')
    .option('--root <folder>', 'the folder that holds config/', '.')
    .option('--force', 'replace an earlier export, and all that is in its folder')
    .action((folder: string, { root, force = false }: ExportOptions) =>
      ending(io, () => exportDocumentation(path.resolve(root), path.resolve(folder), io, { force })),
    );
  docs
    .command('check')
    .description(
      'call every operation by its documented examples, as a guest; list what is not as documented',
    )
    .option(
      '--origin <url>',
      'a service that runs, base path included (default: the project, served for the moment)',
    )
    .option('--write', 'call too what may change something')
    .option('--root <folder>', 'the folder that holds config/', '.')
    .action(({ root, ...options }: CheckOptions & { readonly root: string }) =>
      ending(io, () => checkDocumentation(path.resolve(root), io, options)),
    );
}
