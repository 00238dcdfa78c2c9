import {
  type Application,
  ApplicationHost,
  type BootstrapEvent,
  type ConfigObject,
  ConfigurationError,
  Deployment,
  DeploymentKeys,
  type Module,
} from '../../framework';
import { ClusterState, type ClusterConnection } from './cluster-state';
import { SharedCounts } from './counts/shared-counts';
import { readSecrets } from './deployment-secrets';
import { followDeployment, isDeployment } from './follow-deployment';
import type * as Nodes from './nodes';
import { redisMeasurements } from './redis/measurements';
import { evictionWarning, RedisState } from './redis/redis-state';
import { CLUSTER_KEY, clusterDefaults, clusterSettings, type ClusterSettings } from './settings';

export { Membership } from './membership';
export type { Head } from './store/configuration-store';
export type { SeenNode } from './store/node-report';
export type {
  ClusterNode,
  DeploymentConfiguration,
  NodeOptions,
  OpenDeployment,
  StartingNode,
} from './nodes';

const load = require;

/** Loads what only a deployment with a configuration store needs. */
export function loadNodes(): typeof Nodes {
  return load('./nodes') as typeof Nodes;
}

/** Milliseconds that a start waits for Redis; a reload only if Redis is out of reach for less. */
const START_TIMEOUT = 2_000;
/** Milliseconds that a start then waits for the counts of other nodes. */
const LEARN_TIMEOUT = 1_000;

/** Shares state between the nodes of a deployment: the same configuration on several machines, and one Redis. */
export default class ClusterModule implements Module {
  readonly name = 'cluster';
  readonly defaults: ConfigObject = clusterDefaults;
  readonly schemas = { [CLUSTER_KEY]: clusterSettings };

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { configuration, sharedState, events, dependencies, measurements, warnings } = application;
    const settings = configuration.section(CLUSTER_KEY, clusterSettings);
    followDeployment(application);
    const keys = keysOf(application, settings);
    const host = sharedState.find(ApplicationHost);
    const deployment = sharedState.getOrCreate(Deployment, () => new Deployment());
    const cluster = sharedState.getOrCreate(ClusterState, () => new ClusterState(deployment));
    const release = cluster.acquire(host?.isActive === false, () =>
      connect(application, deployment, settings, keys),
    );
    events.attach('shutdown', release);
    const { redis } = cluster;
    if (redis === undefined) {
      if (settings.redis !== undefined)
        warnings.push(`${CLUSTER_KEY}.redis.url takes effect when the service is restarted.`);
      return;
    }
    if (isDeployment(host?.shared)) host.shared.connectHints(redis.channel);
    const reason = await redis.connected(START_TIMEOUT);
    if (reason !== undefined)
      warnings.push(
        `Redis cannot be reached: ${reason}. Digest responds with 503 until it can; everything else continues.`,
      );
    else await cluster.counts?.learned(LEARN_TIMEOUT);
    const { evictionPolicy = 'noeviction' } = redis;
    if (evictionPolicy !== 'noeviction') warnings.push(evictionWarning(evictionPolicy));
    dependencies.push({ name: 'redis', isAvailable: () => redis.isAvailable });
    measurements.push(...redisMeasurements(redis));
  }
}

/** @throws ConfigurationError for an invalid deployment key, also where it is not used yet */
function keysOf(
  { configuration, warnings }: Application,
  { redis, deployment_key: setting }: ClusterSettings,
): DeploymentKeys | undefined {
  const where = `${configuration.sourceOf([CLUSTER_KEY, 'deployment_key'])}: ${CLUSTER_KEY}.deployment_key`;
  if (setting !== undefined) {
    if (redis === undefined)
      warnings.push(`${where} has no effect without ${CLUSTER_KEY}.redis.url. Set both, or remove it.`);
    return new DeploymentKeys(readSecrets(setting, configuration.root, where));
  }
  if (redis === undefined) return undefined;
  throw new ConfigurationError(
    `${configuration.sourceOf([CLUSTER_KEY, 'redis', 'url'])}: ${CLUSTER_KEY}.redis.url needs ${CLUSTER_KEY}.deployment_key, a secret that is the same on all nodes, such as "\${DEPLOYMENT_KEY}". Create one with: openssl rand -base64 32`,
  );
}

function connect(
  application: Application,
  deployment: Deployment,
  { redis: server, prefix }: ClusterSettings,
  keys: DeploymentKeys | undefined,
): ClusterConnection | undefined {
  const { configuration, sharedState } = application;
  if (server === undefined || keys === undefined) return undefined;
  // Not by the schema, whose messages show the value.
  if (!/^rediss?:\/\/./.test(server.url)) {
    const where = configuration.sourceOf([CLUSTER_KEY, 'redis', 'url']);
    throw new ConfigurationError(
      `${where}: ${CLUSTER_KEY}.redis.url is not the URL of a Redis server. Write redis://host:6379, or rediss://host:6379 for TLS.`,
    );
  }
  const redis = new RedisState({ url: server.url, prefix, keys, log: application.logOf('cluster') });
  deployment.use(redis, keys, redis);
  return { redis, counts: deployment.isWorker ? undefined : new SharedCounts(redis, sharedState, prefix) };
}
