import { Deployment, formatKeyPath, type Application } from '../../../framework';
import { RateLimitState } from '../../mvc-auth';
import { RateLimitListeners } from './rate-limit-listeners';
import { rateLimitMeasurements } from './rate-limit-measurements';
import { RATE_LIMITS_KEY, rateLimitSettings } from './rate-limit-settings';
import { RateLimits, type LimitedOperation } from './rate-limits';

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

/**
 * Attaches the listeners that count requests, and the metrics; warns about settings without effect.
 * @param operations returns all that are hosted
 */
export function attachRateLimits(
  { events, sharedState, measurements, warnings, configuration }: Application,
  limits: RateLimits,
  operations: () => readonly LimitedOperation[],
): void {
  const { isEmpty, firstExact } = limits;
  warnings.push(...limits.weightWarnings(operations));
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
