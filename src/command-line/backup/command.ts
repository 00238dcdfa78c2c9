import type { Command } from 'commander';
import path from 'node:path';
import { ConfigurationError, pluralize, printable, type Configuration } from '../../framework';
import { recordRestore } from '../../modules/admin';
import { hasStore } from '../../start/node-start';
import { runCommand } from '../run-command';
import type { CommandContext } from '../command-context';
import { hostOf } from '../open-project';
import { UsageError } from '../usage-error';
import { backUp } from './backup';
import { databasesNotIncluded } from './not-included';
import { restore } from './restore';
import { isInterrupted, swapIn } from './swap';

interface RootOption {
  readonly root: string;
}

/** Registers `backup TARGET` and `restore [SOURCE]`. */
export function registerBackup(program: Command, io: CommandContext): void {
  program
    .command('backup')
    .description('save config/ and data/, also while the service is running')
    .argument('<target>', 'a new file that ends with .tar.gz, or a new folder')
    .option('--root <folder>', 'the folder that contains config/', '.')
    .action((target: string, { root }: RootOption) =>
      runCommand(io, () => runBackup(io, path.resolve(root), path.resolve(target))),
    );
  program
    .command('restore')
    .description('restore a backup; stop the service first')
    .argument('[source]', 'the file or folder; not needed to complete an interrupted restore')
    .option('--root <folder>', 'the folder to restore config/ and data/ in', '.')
    .option('--force', 'replace existing folders; they are kept under another name')
    .action(
      (source: string | undefined, { root, force = false }: RootOption & { readonly force?: boolean }) =>
        runCommand(io, () => runRestore(io, path.resolve(root), { source, force })),
    );
}

async function runBackup(io: CommandContext, root: string, target: string): Promise<void> {
  const configuration = await readConfiguration(io, root);
  const notIncluded = configuration === undefined ? [] : databasesNotIncluded(configuration);
  const { manifest, skipped, followed } = await backUp({ root, target, notIncluded });
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  io.stdout.write(`Saved ${pluralize(manifest.files.length, 'file')} (${bytes} bytes) in ${target}\n`);
  for (const { name, folder } of followed)
    io.stdout.write(`Included: ${printable(name)}, a link to ${printable(folder)}\n`);
  for (const one of skipped) io.stderr.write(`Warning: not included: ${one}.\n`);
  for (const { database, command } of notIncluded)
    io.stderr.write(`Warning: the database "${database}" is not included. Save it: ${command}\n`);
  io.stdout.write('It contains password files and may contain secrets: keep it private.\n');
}

async function runRestore(
  io: CommandContext,
  root: string,
  { source, force }: { readonly source: string | undefined; readonly force: boolean },
): Promise<void> {
  const isResumable = await isInterrupted(root);
  if (source === undefined) {
    if (!isResumable) throw new UsageError('Specify a backup: no interrupted restore was found here.');
    const kept = await swapIn(root, true);
    io.stdout.write('The interrupted restore is complete.\n');
    report(io, kept);
    await record(io, root, 'completed after an interruption');
    return;
  }
  if (isResumable)
    throw new UsageError(
      `${source} was not restored: another restore was interrupted in ${root}. Complete it first, with restore and no source.`,
    );
  const { manifest, kept } = await restore({ root, source: path.resolve(source), force });
  io.stdout.write(`Restored ${pluralize(manifest.files.length, 'file')} of ${manifest.created}.\n`);
  report(io, kept);
  for (const { database, command } of manifest.not_included)
    io.stderr.write(
      `Warning: the database "${database}" is not in the backup. It was to be saved with: ${command}\n`,
    );
  await record(io, root, `${source} of ${manifest.created}`);
  io.stdout.write('Next: apidesc-platform config check, then start the service.\n');
}

function report({ stdout }: CommandContext, kept: readonly string[]): void {
  for (const name of kept) stdout.write(`The former content is in ${name}/\n`);
}

/** Records a restore in the audit log of the project, and warns if it will have no effect. */
async function record(io: CommandContext, root: string, target: string): Promise<void> {
  const configuration = await readConfiguration(io, root);
  if (configuration === undefined) return;
  await recordRestore(configuration, operator(io), target);
  if (hasStore(configuration)) io.stderr.write(`Warning: ${STORE_REPLACES}\n`);
}

const STORE_REPLACES =
  'when a node starts, the files of its configuration store replace those of the backup. To use those of the backup, stop all nodes, and start them with another platform-cluster.prefix, this one first.';

/** Returns undefined, with a warning, for an invalid configuration: it can be saved and restored nevertheless. */
async function readConfiguration(io: CommandContext, root: string): Promise<Configuration | undefined> {
  const host = hostOf(root, io);
  try {
    return await host.configuration();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    io.stderr.write(`Warning: the configuration has errors:\n${error.message}\n`);
    return undefined;
  } finally {
    await host.close();
  }
}

function operator({ environment }: CommandContext): string {
  return environment.SUDO_USER ?? environment.USER ?? environment.LOGNAME ?? 'command line';
}
