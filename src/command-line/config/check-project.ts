import { pluralize } from '../../framework';
import type { CommandContext } from '../command-context';
import { hostOf } from '../open-project';

/**
 * Validates the configuration of a project, then builds its application without listening. That includes password
 * files, referenced services, routes, access rules, and services that are otherwise created on first use.
 *
 * @throws ConfigurationError with all errors of the configuration, or with the reason why the application does not build
 */
export async function checkProject(root: string, io: CommandContext): Promise<void> {
  const { stdout, stderr } = io;
  const host = hostOf(root, io);
  const application = await host.build();
  try {
    const { configuration, deferred, warnings } = application;
    for (const service of deferred) await service.make();
    for (const warning of warnings) stderr.write(`Warning: ${warning}\n`);
    const files = configuration.layers.filter(({ source }) => source.startsWith('config/')).length;
    // A project without files in config/autoload has nothing to count.
    const checked = files === 0 ? '' : `${pluralize(files, 'file')} checked, `;
    stdout.write(`OK: ${checked}the application builds.\n`);
  } finally {
    await application.dispose();
    await host.close();
  }
}
