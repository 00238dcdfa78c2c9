import type * as IoRedis from 'ioredis';
import { ConfigurationError } from '../../../framework';

const load = require;

/** Loads the driver at the first use. @throws ConfigurationError if it is not installed */
export function redisDriver(): typeof IoRedis {
  try {
    return load('ioredis') as typeof IoRedis;
  } catch (cause) {
    throw new ConfigurationError(
      'platform-cluster.redis.url requires the package ioredis. Install it: npm install ioredis',
      { cause },
    );
  }
}
