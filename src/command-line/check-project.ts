import type { ConfigIo } from './config-command';
import { hostOf } from './open-project';

/**
 * Checks the configuration of a project, and builds its application without listening: files of users, services
 * that are named, routes and rules are looked at too, and what is otherwise made when it is first needed.
 *
 * @throws StartError that tells every error of the configuration, or else why the application cannot be built
 */
export async function checkProject(root: string, io: ConfigIo): Promise<void> {
  const { stdout, stderr } = io;
  const host = hostOf(root, io);
  const application = await host.build();
  try {
    const { configuration, deferred, warnings } = application;
    for (const make of deferred) await make();
    for (const warning of warnings) stderr.write(`Warning: ${warning}\n`);
    const files = configuration.layers.filter(({ source }) => source.startsWith('config/')).length;
    stdout.write(
      `The configuration of ${root} is right: ${files} ${files === 1 ? 'file' : 'files'}, and the application can be built.\n`,
    );
  } finally {
    await application.dispose();
    await host.close();
  }
}
