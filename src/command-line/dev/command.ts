import type { Command } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pluralize } from '../../framework';
import { runCommand } from '../run-command';
import type { CommandContext } from '../command-context';
import { UsageError } from '../usage-error';
import { startCompiler } from './compiler';
import { DevSession } from './dev-session';
import { ProjectWatcher } from './project-watcher';

const MODULE_LIST = 'config/application.json';

/** Registers `dev`, which serves a project and restarts the server when its files change. */
export function registerDev(program: Command, io: CommandContext): void {
  program
    .command('dev')
    .description('serve a project during development: compile TypeScript, and restart when files change')
    .option('--root <folder>', 'the folder that contains config/', '.')
    .action(({ root }: { readonly root: string }) => runCommand(io, () => develop(path.resolve(root), io)));
}

/**
 * Runs until a signal.
 * @throws UsageError for a folder without a project, and one whose files cannot be watched
 */
async function develop(root: string, { stdout, stderr }: CommandContext): Promise<void> {
  if (!existsSync(path.join(root, MODULE_LIST)))
    throw new UsageError(
      `${root} contains no project: ${MODULE_LIST} does not exist. Create a project with "apidesc-platform init", or pass the folder of one with --root.`,
    );
  const session = new DevSession(root, { stdout, stderr });
  let failed = false;
  const compiler = startCompiler(root, stderr, (errors) => {
    if (errors === 0) {
      if (failed) stdout.write('Compiled without errors.\n');
      session.start();
      session.settle();
    } else {
      session.forgetSources();
      stderr.write(`Compiled with ${pluralize(errors, 'error')}. Waiting for a change.\n`);
    }
    failed = errors > 0;
  });
  let watcher: ProjectWatcher | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
      compiler?.once('exit', (code, signal) =>
        reject(new UsageError(`The TypeScript compiler has ended (${String(code ?? signal)}).`)),
      );
      watcher = new ProjectWatcher(
        root,
        (file, role) => {
          if (role === 'reloads') session.reload(file);
          else if (role === 'source' && compiler !== undefined && !runsTypeScript(root))
            session.noteSource(file);
          else session.restart(file);
        },
        (error) => reject(new UsageError(`The files of ${root} cannot be watched: ${error.message}`)),
      );
      if (compiler === undefined) session.start();
    });
  } finally {
    watcher?.close();
    compiler?.kill();
    await session.close();
  }
}

/** Whether a module is TypeScript that Node.js runs itself: the compiler only checks it. */
function runsTypeScript(root: string): boolean {
  try {
    return /\.[cm]?ts"/.test(readFileSync(path.join(root, MODULE_LIST), 'utf8'));
  } catch {
    return false;
  }
}
