import type { ApplicationHost, Configuration } from '../../framework';
import type * as Cluster from '../../modules/cluster';
import type { OpenDeployment } from '../../modules/cluster';
import { hasStore } from '../../node-start';

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

/** The format of the configuration store that this version reads and writes. */
export function storeFormat(): number {
  return nodes().STORE_FORMAT;
}

function nodes(): ReturnType<typeof Cluster.loadNodes> {
  const { loadNodes } = load('../../modules/cluster') as typeof Cluster;
  return loadNodes();
}
