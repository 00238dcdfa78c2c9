import type { Configuration } from '../../../framework';
import { CLUSTER_KEY, clusterSettings } from '../settings';
import type { ConfigurationStore } from './configuration-store';
import { PostgresStore } from './postgres/postgres-store';
import { RedisStore } from './redis/redis-store';
import { storeUrl } from './store-url';

/**
 * Opens the configured store; it is not connected yet.
 * @returns undefined for configuration in files
 * @throws ConfigurationError for a store without its URL, or whose driver is not installed
 */
export function openStore(configuration: Configuration): ConfigurationStore | undefined {
  const configured = storeUrl(configuration);
  if (configured === undefined) return undefined;
  const { prefix } = configuration.section(CLUSTER_KEY, clusterSettings);
  const { store, url } = configured;
  return store === 'redis' ? new RedisStore({ url, prefix }) : new PostgresStore({ url, prefix });
}
