import type { SharedState } from '../../framework';
import { RateLimitState, ThrottleState, type FailureChange, type UsedLimit } from '../../modules/mvc-auth';

/** What a process has counted of rate limits or failed sign-ins. */
export type CountChange = { readonly used: UsedLimit } | { readonly failure: FailureChange };

/** Another process that counts. */
interface CountingProcess {
  /** Adds what it reports, and tells all others. */
  readonly receive: (changes: readonly CountChange[]) => void;
  readonly leave: () => void;
}

/**
 * Shares rate limits and failed sign-ins with another process: each counts at once what it sees itself, and adds what
 * the others report.
 * @param report receives what this process and all others count
 */
export function shareCounts(
  sharedState: SharedState,
  report: (changes: readonly CountChange[]) => void,
): CountingProcess {
  const { limits, failures } = countersOf(sharedState);
  const uses = limits.peers.join((used) => report([{ used }]));
  const failed = failures.peers.join((failure) => report([{ failure }]));
  return {
    receive: (changes) => {
      for (const change of changes) {
        if ('used' in change) uses.receive(change.used);
        else failed.receive(change.failure);
      }
    },
    leave: () => {
      uses.leave();
      failed.leave();
    },
  };
}

/** What has been counted so far, for a process that starts. */
export function currentCounts(sharedState: SharedState): readonly CountChange[] {
  const { limits, failures } = countersOf(sharedState);
  return [
    ...Array.from(limits.uses(), (used) => ({ used })),
    ...Array.from(failures.all(), (failure) => ({ failure })),
  ];
}

function countersOf(sharedState: SharedState): {
  readonly limits: RateLimitState;
  readonly failures: ThrottleState['counts'];
} {
  const limits = sharedState.getOrCreate(RateLimitState, () => new RateLimitState());
  const { counts: failures } = sharedState.getOrCreate(ThrottleState, () => new ThrottleState());
  return { limits, failures };
}
