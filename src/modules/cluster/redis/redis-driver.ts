import type * as IoRedis from 'ioredis';
import { requirePackage } from '../../../framework';

/** Milliseconds at most before a lost connection is made again. */
const RECONNECT = 500;

/**
 * Creates a client that is not connected yet, and connects again whenever it is lost. Nothing waits for it: meanwhile, commands
 * fail at once. What was sent may have been executed, and is never sent again.
 *
 * @param name of the connection, for operators
 * @throws ConfigurationError if the driver is not installed
 */
export function redisClient(
  url: string,
  name: string,
  options: { readonly commandTimeout?: number } = {},
): IoRedis.Redis {
  const { Redis: Client } = requirePackage('ioredis', 'platform-cluster.redis.url') as typeof IoRedis;
  return new Client(url, {
    lazyConnect: true,
    connectionName: name,
    connectTimeout: 2_000,
    // A server that is gone sends no FIN either.
    disconnectTimeout: RECONNECT,
    enableOfflineQueue: false,
    // Listeners learn when a subscription begins.
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(100 * times, RECONNECT),
    ...options,
  });
}
