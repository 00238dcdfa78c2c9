import type { Command } from 'commander';
import path from 'node:path';
import type { Application } from '../../framework';
import { checkProject } from '../config/check-project';
import { runCommand } from '../run-command';
import type { CommandContext } from '../command-context';
import { hostOf } from '../open-project';
import { listListeners } from './list-listeners';
import { listRoutes } from './list-routes';

interface Options {
  readonly root: string;
  readonly json?: boolean;
  readonly all?: boolean;
}

/**
 * Registers `check`, `routes [TEXT]` and `listeners [EVENT]`, which build the application of a project without
 * listening.
 */
export function registerInspect(program: Command, io: CommandContext): void {
  const command = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--root <folder>', 'the folder that contains config/', '.');
  const inspect = (
    { root, json = false }: Options,
    print: (application: Application, json: boolean) => string | Promise<string>,
  ) =>
    runCommand(io, () =>
      withApplication(path.resolve(root), io, async (application) => {
        io.stdout.write(await print(application, json));
      }),
    );

  command(
    'check',
    'report every error of the configuration and the modules, without starting the server',
  ).action(({ root }: Options) => runCommand(io, () => checkProject(path.resolve(root), io)));
  command('routes', 'list the routes with their methods and operations')
    .argument('[text]', 'only routes whose path or operation contains it')
    .option('--all', 'also those of the platform itself: documentation, admin, assets')
    .option('--json', 'print JSON')
    .action((text: string | undefined, options: Options) =>
      inspect(options, async (application, json) => {
        const listed = await listRoutes(application, { text, json, all: options.all ?? false });
        if (listed.hidden > 0)
          io.stderr.write(`${listed.hidden} routes of the platform itself are not listed: see --all.\n`);
        return listed.text;
      }),
    );
  command('listeners', 'list the listeners of each event in calling order, with module, file and priority')
    .argument('[event]', 'only those of this event, such as render')
    .option('--json', 'print JSON')
    .action((event: string | undefined, options: Options) =>
      inspect(options, (application, json) => listListeners(application, { event, json })),
    );
}

/** @throws ConfigurationError for an application that does not build */
async function withApplication(
  root: string,
  io: CommandContext,
  work: (application: Application) => Promise<void>,
): Promise<void> {
  const host = hostOf(root, io);
  const application = await host.build();
  try {
    await work(application);
  } finally {
    await application.dispose();
    await host.close();
  }
}
