import type { Command } from 'commander';
import path from 'node:path';
import { runCommand } from './run-command';
import type { CommandContext } from './command-context';
import { withProject, type OpenOptions, type OpenProject } from './open-project';

export interface ProjectOptions {
  readonly root: string;
}

type Work<Options> = (project: OpenProject, options: Options, ...args: string[]) => Promise<void>;

/**
 * Adds a command that opens a project and works on it. Errors are printed to `stderr`; the exit code is 0 or 1. The
 * caller adds arguments and further options.
 */
export function projectCommand<Options extends ProjectOptions = ProjectOptions>(
  parent: Command,
  io: CommandContext,
  name: string,
  description: string,
  work: Work<Options>,
  open: OpenOptions = {},
): Command {
  return parent
    .command(name)
    .description(description)
    .option('--root <folder>', 'the folder that contains config/', '.')
    .action(async (...actionArguments: unknown[]) => {
      // Commander passes the arguments, the options, and the command itself.
      const options = actionArguments.at(-2) as Options;
      const args = actionArguments
        .slice(0, -2)
        .flat()
        .filter((arg): arg is string => typeof arg === 'string');
      await runCommand(io, () =>
        withProject(path.resolve(options.root), io, { ...open, command: parent.name() }, (project) =>
          work(project, options, ...args),
        ),
      );
    });
}
