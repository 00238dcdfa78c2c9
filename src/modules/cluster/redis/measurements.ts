import type { Measurement } from '../../../framework';
import type { RedisState } from './redis-state';

/** The metrics of the shared state. */
export function redisMeasurements(state: RedisState): readonly Measurement[] {
  return [
    {
      name: 'apidesc_cluster_redis_available',
      help: '1 if Redis can be reached.',
      type: 'gauge',
      // Each worker has its own connection.
      aggregate: 'minimum',
      values: () => [[{}, state.isAvailable ? 1 : 0]],
    },
    {
      name: 'apidesc_cluster_nonce_claims_total',
      help: 'Claims of Digest nonce counts, by result.',
      type: 'counter',
      values: function* () {
        for (const [result, total] of Object.entries(state.totals)) yield [{ result }, total] as const;
      },
    },
    {
      name: 'apidesc_cluster_exact_counts_total',
      help: 'Decisions about exact rate limits and failed sign-ins: counted by Redis, or failed and made by the node.',
      type: 'counter',
      values: function* () {
        for (const [result, total] of Object.entries(state.exactCounts.totals))
          yield [{ result }, Number(total)] as const;
      },
    },
  ];
}
