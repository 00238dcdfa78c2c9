import type { Command } from 'commander';
import path from 'node:path';
import type { Application } from '../../framework';
import { checkProject } from '../check-project';
import { runCommand, type ConfigIo } from '../config-command';
import { hostOf } from '../open-project';
import { listListeners } from './list-listeners';
import { listRoutes } from './list-routes';

interface Options {
  readonly root: string;
  readonly json?: boolean;
}

/**
 * Registers `check`, `routes [TEXT]` and `listeners [EVENT]`, which build the application of a project without
 * listening.
 */
export function registerInspect(program: Command, io: ConfigIo): void {
  const command = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--root <folder>', 'the folder that contains config/', '.');
  const inspect = (
    { root, json = false }: Options,
    print: (application: Application, json: boolean) => string,
  ) =>
    runCommand(io, () =>
      withApplication(path.resolve(root), io, (application) => {
        io.stdout.write(print(application, json));
      }),
    );

  command(
    'check',
    'report every error of the configuration and the modules, without starting the server',
  ).action(({ root }: Options) => runCommand(io, () => checkProject(path.resolve(root), io)));
  command('routes', 'list the routes with their methods and operations')
    .argument('[text]', 'only routes whose path or name contains it')
    .option('--json', 'print JSON')
    .action((text: string | undefined, options: Options) =>
      inspect(options, (application, json) => listRoutes(application, { text, json })),
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
  io: ConfigIo,
  work: (application: Application) => void,
): Promise<void> {
  const host = hostOf(root, io);
  const application = await host.build();
  try {
    work(application);
  } finally {
    await application.dispose();
    await host.close();
  }
}
