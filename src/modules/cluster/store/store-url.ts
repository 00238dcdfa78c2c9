import { ConfigurationError, type Configuration } from '../../../framework';
import { CLUSTER_KEY, clusterSettings } from '../settings';

/** How URLs of stores look. */
const KINDS = {
  redis: { name: 'Redis', pattern: /^rediss?:\/\/./, example: 'redis://host:6379' },
  postgres: { name: 'PostgreSQL', pattern: /^postgres(ql)?:\/\/./, example: 'postgres://user@host/database' },
} as const;

/**
 * Returns the kind and the URL of the configured store; undefined for configuration in files.
 * @throws ConfigurationError for a store without its URL, or with one of another kind
 */
export function storeUrl(
  configuration: Configuration,
): { readonly store: 'redis' | 'postgres'; readonly url: string } | undefined {
  if (!configuration.schemas.has(CLUSTER_KEY)) return undefined;
  const { store, ...settings } = configuration.section(CLUSTER_KEY, clusterSettings);
  if (store === 'file') return undefined;
  const { name, pattern, example } = KINDS[store];
  const url = settings[store]?.url;
  if (url === undefined)
    throw new ConfigurationError(
      `${configuration.sourceOf([CLUSTER_KEY, 'store'])}: ${CLUSTER_KEY}.store "${store}" needs ${CLUSTER_KEY}.${store}.url, such as "${example}".`,
    );
  // Not by the schema, whose messages show the value.
  if (!pattern.test(url))
    throw new ConfigurationError(
      `${configuration.sourceOf([CLUSTER_KEY, store, 'url'])}: ${CLUSTER_KEY}.${store}.url is not the URL of a ${name} server. Write ${example}.`,
    );
  return { store, url };
}
