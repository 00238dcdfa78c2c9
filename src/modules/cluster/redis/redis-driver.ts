import type * as IoRedis from 'ioredis';
import { errorMessage, requirePackage } from '../../../framework';

/** How the driver describes that a connection ended before a reply: with options that operators cannot set. */
const CONNECTION_ENDED = /^(Reached the max retries per request|Stream isn't writeable|Connection is closed)/;

/** Returns why a command failed, for operators. */
export function failureReason(error: unknown): string {
  const message = errorMessage(error);
  return CONNECTION_ENDED.test(message) ? 'the connection was closed' : message;
}

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
