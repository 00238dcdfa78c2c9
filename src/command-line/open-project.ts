import {
  ApplicationHost,
  SharedState,
  ConfigurationError,
  type Application,
  type Configuration,
  type HostOptions,
  type Log,
} from '../framework';
import { builtInModules } from '../modules';
import { ADMIN_MODULE, openAdminServices, type Actor, type AdminServices } from '../modules/admin';
import type { OpenDeployment } from '../modules/cluster';
import type { CommandContext } from './command-context';
import { openDeployment } from './nodes/open-deployment';

/** Discards what is logged while an application is built: commands print warnings themselves. */
const silent: Log = { error: () => undefined, warn: () => undefined, info: () => undefined };

/** A project opened by a command, with the services that also back the admin pages. */
export interface OpenProject {
  readonly services: AdminServices;
  readonly actor: Actor;
}

export interface OpenOptions {
  /** Ignore an invalid `local.json`, for commands that restore it. */
  readonly repair?: boolean;
  /** Create no files such as the access log. */
  readonly readOnly?: boolean;
}

/**
 * Creates the application host of a project, without a server.
 * @param options `changesData`: whether a build applies the migrations of modules, which is otherwise left to the start;
 *   `createsFiles`: whether it creates files such as the access log
 */
export function hostOf(
  root: string,
  { environment }: CommandContext,
  { changesData = false, createsFiles = false }: Pick<HostOptions, 'changesData' | 'createsFiles'> = {},
): ApplicationHost {
  return new ApplicationHost({
    root,
    builtIn: builtInModules,
    environment,
    sharedState: new SharedState(),
    log: silent,
    // A consumer of a queue, for example, would run next to that of the service.
    startsParts: false,
    changesData,
    createsFiles,
  });
}

/**
 * Builds the application of a project without listening, and passes its services to `work`.
 * @param options `command`: its name, for messages
 * @throws ConfigurationError for an invalid configuration, or without the module whose services the commands use
 */
export async function withProject(
  root: string,
  io: CommandContext,
  options: OpenOptions & { readonly command: string },
  work: (project: OpenProject) => Promise<void>,
): Promise<void> {
  const host = hostOf(root, io, { createsFiles: options.readOnly !== true });
  let opened: OpenDeployment | undefined;
  const revise = async (configuration: Configuration): Promise<boolean> => {
    opened ??= await openDeployment(host, configuration);
    return opened?.deployment !== undefined;
  };
  try {
    const application = await build(host, io, options.repair === true, revise);
    host.activate(application);
    assertAdminModule(application, options.command);
    const name = io.environment.SUDO_USER ?? io.environment.USER ?? io.environment.LOGNAME ?? 'command line';
    await work({ services: openAdminServices(application, host), actor: { name, via: 'command' } });
  } finally {
    await host.close();
    await opened?.close();
  }
}

function assertAdminModule({ modules }: Application, command: string): void {
  if (modules.some(({ name }) => name === ADMIN_MODULE)) return;
  throw new ConfigurationError(
    `The command "${command}" needs the module "${ADMIN_MODULE}"; add it to "modules" in config/application.json.`,
  );
}

async function build(
  host: ApplicationHost,
  { stderr }: CommandContext,
  repair: boolean,
  revise: (configuration: Configuration) => Promise<boolean>,
): Promise<Application> {
  try {
    return await host.build({ revise });
  } catch (error) {
    if (!repair || !(error instanceof ConfigurationError)) throw error;
    const repaired = await host.build({ local: null, revise }).catch((other: unknown) => {
      // `local.json` is not the reason.
      throw other instanceof ConfigurationError ? error : other;
    });
    stderr.write(`The current configuration has errors:\n${error.message}\n`);
    return repaired;
  }
}
