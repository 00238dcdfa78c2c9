import { ApplicationHost, Lasting, StartError, type Application, type Log } from '../framework';
import { builtInModules } from '../modules';
import { openAdminServices, type Actor, type AdminServices } from '../modules/admin';
import type { ConfigIo } from './config-command';

/** What is logged while an application is built is no part of the answer. */
const silent: Log = { error: () => undefined, warn: () => undefined, info: () => undefined };

/** A project that nobody serves, and what the admin pages would do to it. */
export interface OpenProject {
  readonly services: AdminServices;
  readonly actor: Actor;
}

/** The applications of a project, without a server. */
export function hostOf(root: string, { environment }: ConfigIo): ApplicationHost {
  return new ApplicationHost({
    root,
    builtIn: builtInModules,
    environment,
    lasting: new Lasting(),
    log: silent,
  });
}

/**
 * Builds the application of a project without listening, and works on it.
 * @param options `mending`: what `local.json` says may be wrong, as in a command that puts it back
 * @throws StartError for a project that cannot be started
 */
export async function withProject(
  root: string,
  io: ConfigIo,
  options: { readonly mending?: boolean },
  work: (project: OpenProject) => Promise<void>,
): Promise<void> {
  const host = hostOf(root, io);
  try {
    const application = await build(host, io, options.mending === true);
    host.put(application);
    const name = io.environment.SUDO_USER ?? io.environment.USER ?? io.environment.LOGNAME ?? 'command line';
    await work({ services: openAdminServices(application, host), actor: { name, via: 'command' } });
  } finally {
    await host.close();
  }
}

async function build(host: ApplicationHost, { stderr }: ConfigIo, mending: boolean): Promise<Application> {
  try {
    return await host.build();
  } catch (error) {
    if (!mending || !(error instanceof StartError)) throw error;
    stderr.write(`The configuration as it is has errors:\n${error.message}\n`);
    return host.build({ local: null });
  }
}
