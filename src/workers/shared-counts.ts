import type { SharedState } from '../framework';
import { RateLimitState, type UsedLimit } from '../modules/hosting';
import { ThrottleState, type FailureChange } from '../modules/mvc-auth';

/** What a process has counted of rate limits or failed sign-ins. */
export type CountChange = { readonly used: UsedLimit } | { readonly failure: FailureChange };

/**
 * Shares rate limits and failed sign-ins with other processes: each counts at once what it sees itself, and merges what
 * the others report.
 * @param report receives what is counted here
 * @returns merges what another process reports
 */
export function shareCounts(
  sharedState: SharedState,
  report: (change: CountChange) => void,
): (change: CountChange) => void {
  const limits = sharedState.getOrCreate(RateLimitState, () => new RateLimitState());
  const { counts } = sharedState.getOrCreate(ThrottleState, () => new ThrottleState());
  limits.onUse = (used) => report({ used });
  counts.onChange = (failure) => report({ failure });
  return (change) => {
    if ('used' in change) limits.merge(change.used);
    else counts.merge(change.failure);
  };
}
