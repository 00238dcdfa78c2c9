import { Deployment, formatKeyPath, type Application } from '../../../framework';
import { RateLimitState } from '../../mvc-auth';
import { RateLimitListeners } from './rate-limit-listeners';
import { rateLimitMeasurements } from './rate-limit-measurements';
import { RATE_LIMITS_KEY, rateLimitSettings } from './rate-limit-settings';
import { RateLimits } from './rate-limits';

/**
 * Returns the configured limits. Their usage survives reloads, which change the limits.
 * @throws ConfigurationError as {@link RateLimits} does
 */
export function rateLimitsOf({ configuration, sharedState }: Application): RateLimits {
  return new RateLimits(
    configuration.section(RATE_LIMITS_KEY, rateLimitSettings),
    sharedState.getOrCreate(RateLimitState, () => new RateLimitState()),
    (...below) => {
      const path = [RATE_LIMITS_KEY, ...below];
      return `${configuration.sourceOf(path)}: ${formatKeyPath(path)}`;
    },
  );
}

/** Attaches the listeners that count requests, and the metrics; warns about `exact` without a shared store. */
export function attachRateLimits(
  { events, sharedState, measurements, warnings, configuration }: Application,
  { isEmpty, firstExact }: RateLimits,
): void {
  const state = sharedState.getOrCreate(RateLimitState, () => new RateLimitState());
  measurements.push(...rateLimitMeasurements(state));
  const deployment = sharedState.getOrCreate(Deployment, () => new Deployment());
  if (firstExact !== undefined && deployment.store === undefined) {
    const path = [RATE_LIMITS_KEY, ...firstExact, 'exact'];
    warnings.push(
      `${configuration.sourceOf(path)}: ${formatKeyPath(path)} has no effect without platform-cluster.redis.url: a single process is exact, and its workers merge what they count.`,
    );
  }
  if (!isEmpty) events.attachGroup(new RateLimitListeners(state, deployment));
}
