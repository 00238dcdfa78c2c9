import type { Measurement } from '../../../framework';
import type { RateLimitState } from '../../mvc-auth';

/** The metrics of rate limits. Their labels are the names of configured limits. */
export function rateLimitMeasurements(state: RateLimitState): readonly Measurement[] {
  return [
    {
      name: 'apidesc_rate_limited_total',
      help: 'Requests that a rate limit refused.',
      type: 'counter',
      values: function* () {
        for (const [limit, count] of state.refusals) yield [{ limit }, count] as const;
      },
    },
    {
      name: 'apidesc_rate_limit_clients',
      help: 'Clients whose usage is in memory.',
      type: 'gauge',
      // Processes merge what they count.
      aggregate: 'maximum',
      values: function* () {
        for (const [limit, { size }] of state.usage) yield [{ limit }, size] as const;
      },
    },
  ];
}
