import { lazily } from '../../../framework';
import { FailureCounts } from './failure-counts';
import { PendingVerifications } from './pending-verifications';
import { UndecidedCredentials } from './undecided-credentials';

/** State that outlives reloads. */
export class ThrottleState {
  readonly counts = new FailureCounts();
  readonly pending = new PendingVerifications();
  readonly undecided = lazily(() => new UndecidedCredentials());
}
