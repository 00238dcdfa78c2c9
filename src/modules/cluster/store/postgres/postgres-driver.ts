import type * as Pg from 'pg';
import { ConfigurationError } from '../../../../framework';

const load = require;

/** Loads the driver at the first use. @throws ConfigurationError if it is not installed */
export function postgresDriver(): typeof Pg {
  try {
    return load('pg') as typeof Pg;
  } catch (cause) {
    throw new ConfigurationError(
      'platform-cluster.postgres.url requires the package pg. Install it: npm install pg',
      { cause },
    );
  }
}
