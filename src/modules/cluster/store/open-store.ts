import { ConfigurationError, type Configuration } from '../../../framework';
import { CLUSTER_KEY, clusterSettings } from '../settings';
import type { ConfigurationStore } from './configuration-store';
import { PostgresStore } from './postgres/postgres-store';
import { RedisStore } from './redis/redis-store';

/** Whether the configuration is kept in a store. */
export function hasStore(configuration: Configuration): boolean {
  return (
    configuration.schemas.has(CLUSTER_KEY) &&
    configuration.section(CLUSTER_KEY, clusterSettings).store !== 'file'
  );
}

/**
 * Opens the configured store; it is not connected yet.
 * @returns undefined for configuration in files
 * @throws ConfigurationError for a store without its URL, or whose driver is not installed
 */
export function openStore(configuration: Configuration): ConfigurationStore | undefined {
  if (!hasStore(configuration)) return undefined;
  const { store, prefix, redis, postgres } = configuration.section(CLUSTER_KEY, clusterSettings);
  if (store === 'redis') {
    const url = urlOf(configuration, 'redis', redis?.url, /^rediss?:\/\/./, 'redis://host:6379');
    return new RedisStore({ url, prefix });
  }
  const url = urlOf(
    configuration,
    'postgres',
    postgres?.url,
    /^postgres(ql)?:\/\/./,
    'postgres://user@host/database',
  );
  return new PostgresStore({ url, prefix });
}

/** Not by the schema, whose messages show the value. */
function urlOf(
  configuration: Configuration,
  store: 'redis' | 'postgres',
  url: string | undefined,
  pattern: RegExp,
  example: string,
): string {
  if (url === undefined)
    throw new ConfigurationError(
      `${configuration.sourceOf([CLUSTER_KEY, 'store'])}: ${CLUSTER_KEY}.store "${store}" needs ${CLUSTER_KEY}.${store}.url, such as "${example}".`,
    );
  if (!pattern.test(url))
    throw new ConfigurationError(
      `${configuration.sourceOf([CLUSTER_KEY, store, 'url'])}: ${CLUSTER_KEY}.${store}.url is not the URL of a ${store === 'redis' ? 'Redis' : 'PostgreSQL'} server. Write ${example}.`,
    );
  return url;
}
