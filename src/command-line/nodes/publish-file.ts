import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationChanged, ConfigurationError, type Environment } from '../../framework';
import { PasswordEditError, type FilePublisher } from '../../modules/mvc-auth';
import { hasStore } from '../../start/node-start';
import { openDeployment } from './open-deployment';
import { hostOf } from '../open-project';

/**
 * Returns what gives a password file to the nodes of a deployment before it is written: if it is inside of a project whose
 * configuration is in a store. A configuration that cannot be read here, as without its environment variables, is no
 * obstacle: a node on this machine notices the edited file.
 */
export async function publisherOf(
  file: string,
  environment: Environment,
): Promise<FilePublisher | undefined> {
  const root = projectOf(path.resolve(file));
  if (root === undefined) return undefined;
  const discard = { write: () => undefined };
  const host = hostOf(root, { environment, stdout: discard, stderr: discard });
  const configuration = await host.configuration().catch(() => undefined);
  if (configuration === undefined || !hasStore(configuration)) return undefined;
  return async (before, after) => {
    const opened = await openDeployment(host, configuration).catch(toEditError);
    try {
      const by = environment.SUDO_USER ?? environment.USER ?? environment.LOGNAME ?? 'command line';
      const summary = `Changed ${path.relative(root, path.resolve(file))}.`;
      await opened?.deployment
        ?.publish({ file: path.resolve(file), before, after }, { by, via: 'command', summary })
        .catch(toEditError);
    } finally {
      await opened?.close();
    }
  };
}

/** The closest folder above a file with `config/application.json`. */
function projectOf(file: string): string | undefined {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'config', 'application.json'))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** @throws PasswordEditError for what the user can correct */
function toEditError(error: unknown): never {
  if (error instanceof ConfigurationError || error instanceof ConfigurationChanged)
    throw new PasswordEditError(error.message, { cause: error });
  throw error;
}
