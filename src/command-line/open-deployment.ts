import { createRequire } from 'node:module';
import type { ApplicationHost, Configuration } from '../framework';
import type * as Cluster from '../modules/cluster';
import type { OpenDeployment } from '../modules/cluster';
import { hasStore } from '../node-start';

const load = createRequire(__filename);

/**
 * Opens the deployment that a configuration names; undefined for configuration in files.
 * @throws ConfigurationUnavailable if the store cannot be reached
 */
export async function openDeployment(
  host: ApplicationHost,
  configuration: Configuration,
): Promise<OpenDeployment | undefined> {
  if (!hasStore(configuration)) return undefined;
  const { loadNodes } = load('../modules/cluster') as typeof Cluster;
  return await loadNodes().openDeployment(host, configuration);
}
