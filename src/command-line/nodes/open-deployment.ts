import { ConfigurationError, type ApplicationHost, type Configuration } from '../../framework';
import type * as Cluster from '../../modules/cluster';
import type { OpenDeployment } from '../../modules/cluster';
import { hasStore } from '../../start/node-start';

const load = require;

/**
 * Opens the deployment that a configuration names; undefined for configuration in files.
 * @param options `isReading`: nothing is changed, and a store of another version is opened too
 * @throws ConfigurationUnavailable if the store cannot be reached
 */
export async function openDeployment(
  host: ApplicationHost,
  configuration: Configuration,
  options: { readonly isReading?: boolean } = {},
): Promise<OpenDeployment | undefined> {
  if (!hasStore(configuration)) return undefined;
  return await nodes().openDeployment(host, configuration, options);
}

/**
 * Opens the deployment of a project to look at its nodes, whatever is wrong with `local.json`: what names the store is
 * in other files.
 * @throws ConfigurationError for the errors of the other files; ConfigurationUnavailable if the store cannot be reached
 */
export async function openForReading(host: ApplicationHost): Promise<OpenDeployment | undefined> {
  const configuration = await host.configuration().catch((error: unknown) => {
    if (!(error instanceof ConfigurationError)) throw error;
    return host.configuration({ local: null });
  });
  return await openDeployment(host, configuration, { isReading: true });
}

/** The format of the configuration store that this version reads and writes. */
export function storeFormat(): number {
  return nodes().STORE_FORMAT;
}

function nodes(): ReturnType<typeof Cluster.loadNodes> {
  const { loadNodes } = load('../../modules/cluster') as typeof Cluster;
  return loadNodes();
}
