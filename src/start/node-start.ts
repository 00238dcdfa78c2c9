import { ConfigurationError, type Application, type ApplicationHost, type Configuration } from '../framework';
import type * as Cluster from '../modules/cluster';
import { RequestMetrics, STATUS_CLASSES } from '../modules/operations';
import { packageVersion } from '../node-version';
import type { NodeOptions, StartingNode } from '../modules/cluster';

const load = require;

/** The first application of a process, and the node that it is in a deployment with a configuration store. */
export interface FirstApplication {
  readonly application: Application;
  readonly node: StartingNode | undefined;
}

/**
 * Builds the first application of a process. With a configuration store, its files are written before.
 * @throws ConfigurationError for an invalid configuration
 */
export async function buildFirst(
  host: ApplicationHost,
  environment: Readonly<Record<string, string | undefined>>,
  log: NodeOptions['log'],
): Promise<FirstApplication> {
  let node: StartingNode | undefined;
  const join = async (configuration: Configuration): Promise<boolean> => {
    if (!hasStore(configuration)) return false;
    if (!host.hasProject)
      throw new ConfigurationError(
        `${configuration.sourceOf(['platform-cluster', 'store'])}: platform-cluster.store: a node keeps files in a project folder, and none was passed. Pass it as "root", or remove the key.`,
      );
    const { loadNodes } = load('../modules/cluster') as typeof Cluster;
    node = await loadNodes().StartingNode.open(host, configuration, {
      environment,
      log,
      version: packageVersion(),
      totals: () => totalsOf(host),
    });
    return true;
  };
  try {
    const application = await host.build({ revise: join }).catch(async (error: unknown) => {
      if (!(error instanceof ConfigurationError)) throw error;
      if (node !== undefined) return await node.build(() => Promise.reject(error));
      return await repaired(host, join, error);
    });
    return { application, node };
  } catch (error) {
    await node?.abandon();
    throw error;
  }
}

/** Whether a configuration is kept in a store; tells without the module. */
export function hasStore(configuration: Configuration): boolean {
  const store = configuration.valueAt(['platform-cluster', 'store']);
  return store !== undefined && store !== 'file';
}

/** A `local.json` that cannot be read is that of the store after joining. @throws the error without a store */
async function repaired(
  host: ApplicationHost,
  join: (configuration: Configuration) => Promise<boolean>,
  error: ConfigurationError,
): Promise<Application> {
  const others = await host.configuration({ local: null }).catch(() => undefined);
  if (others === undefined || !(await join(others))) throw error;
  return await host.build();
}

/** Of all processes of the service. */
function totalsOf(host: ApplicationHost): { readonly requests: number; readonly errors: number } {
  let [requests, errors] = [0, 0];
  if (!host.isActive) return { requests, errors };
  for (const counters of host.current.sharedState.find(RequestMetrics)?.operations ?? []) {
    for (const at of STATUS_CLASSES.keys()) requests += counters.requests(at);
    errors += counters.requests(STATUS_CLASSES.indexOf('5xx'));
  }
  return { requests, errors };
}
