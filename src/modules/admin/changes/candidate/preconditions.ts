import { problem, runCooperatively, type ApplicationHost } from '../../../../framework';
import type { Change, Restoration } from '../change';
import { tagSteps } from '../tag';

/** Preconditions of a change; a mismatch throws Problem 412. */
export interface Preconditions {
  /** The expected tag of the subject. */
  readonly ifMatch?: string | undefined;
  /** The expected tag of the file. */
  readonly expect?: string | undefined;
}

/**
 * Asserts that the subject of a change has the expected tag, with the configuration files as they are now. A restoration
 * has no subject.
 * @param before the text of `local.json`; undefined without the file
 * @throws Problem 412
 */
export async function assertIfMatch(
  host: ApplicationHost,
  change: Change | Restoration,
  before: string | undefined,
  { ifMatch }: Preconditions,
): Promise<void> {
  if (ifMatch === undefined || !('subject' in change)) return;
  const now = await host.configuration({ local: before ?? null });
  if ((await runCooperatively(tagSteps(now.valueAt(change.subject)))) === ifMatch) return;
  throw problem('changed_meanwhile', { what: change.subject.at(-1)?.toString() ?? 'The configuration' });
}
