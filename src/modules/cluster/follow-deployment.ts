import { ApplicationHost, type Application, type SharedConfiguration } from '../../framework';
import { Membership } from './membership';
import type { DeploymentConfiguration } from './nodes';
import { CLUSTER_KEY } from './settings';
import { storeUrl } from './store/store-url';
import { ClusterState } from './cluster-state';

/**
 * Reports the state of a node in a deployment with a configuration store.
 * @throws ConfigurationError for a store without its URL
 */
export function followDeployment({
  configuration,
  sharedState,
  dependencies,
  measurements,
  warnings,
}: Application): void {
  const configured = storeUrl(configuration);
  const host = sharedState.find(ApplicationHost);
  // The first application is built before the node follows the store.
  const node = () => sharedState.find(Membership)?.node;
  if (host?.shared === undefined) {
    if (configured !== undefined && sharedState.find(ClusterState) !== undefined)
      warnings.push(`${CLUSTER_KEY}.store takes effect when the service is restarted.`);
    return;
  }
  dependencies.push({ name: 'configuration store', isAvailable: () => node()?.isAvailable ?? true });
  dependencies.push({
    name: 'current configuration',
    isAvailable: () => node()?.status.state !== 'behind',
    refusal: () => (node()?.status.isUnready === true ? 'behind' : undefined),
  });
  measurements.push(
    {
      name: 'apidesc_configuration_store_available',
      help: '1 if the configuration store can be reached.',
      type: 'gauge',
      aggregate: 'minimum',
      values: () => [[{}, (node()?.isAvailable ?? true) ? 1 : 0]],
    },
    {
      name: 'apidesc_configuration_behind_seconds',
      help: 'How long the current revision of the configuration could not be activated on this node.',
      type: 'gauge',
      aggregate: 'maximum',
      values: () => [[{}, (node()?.status.behindFor ?? 0) / 1_000]],
    },
  );
}

/** Whether the configuration is that of a store; tells without loading what that needs. */
export function isDeployment(shared: SharedConfiguration | undefined): shared is DeploymentConfiguration {
  return shared !== undefined && 'connectHints' in shared;
}
