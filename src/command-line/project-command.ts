import type { Command } from 'commander';
import path from 'node:path';
import { ending, type ConfigIo } from './config-command';
import { withProject, type OpenProject } from './open-project';

export interface ProjectOptions {
  readonly root: string;
}

type Work<Options> = (project: OpenProject, options: Options, ...words: string[]) => Promise<void>;

/**
 * A command that works on a project: it opens it, says on `stderr` why it came to nothing, and ends with 0 or 1.
 * Arguments and further options are for the caller to add.
 */
export function projectCommand<Options extends ProjectOptions = ProjectOptions>(
  parent: Command,
  io: ConfigIo,
  name: string,
  description: string,
  work: Work<Options>,
  how: { readonly mending?: boolean } = {},
): Command {
  return parent
    .command(name)
    .description(description)
    .option('--root <folder>', 'the folder that holds config/', '.')
    .action(async (...given: unknown[]) => {
      // The command itself comes last, its options before, the arguments in front.
      const options = given.at(-2) as Options;
      const words = given
        .slice(0, -2)
        .flat()
        .filter((word): word is string => typeof word === 'string');
      await ending(io, () =>
        withProject(path.resolve(options.root), io, how, (project) => work(project, options, ...words)),
      );
    });
}
