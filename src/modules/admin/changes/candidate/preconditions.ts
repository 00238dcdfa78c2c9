import { problem, runCooperatively, type ApplicationHost, type KeyPath } from '../../../../framework';
import type { Change, Restoration } from '../change';
import { tagSteps } from '../comparison/tag';

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
  if ((await tagInFiles(host, change.subject, before)) === ifMatch) return;
  const what = change.subject.at(-1)?.toString() ?? 'The configuration';
  const loaded = host.current.configuration.valueAt(change.subject);
  if ((await runCooperatively(tagSteps(loaded))) !== ifMatch) throw problem('changed_meanwhile', { what });
  // Fetched again, it would have the same tag.
  const reason = `${what} has been edited in a configuration file that is not loaded yet. Reload the configuration, fetch the current version and retry.`;
  throw problem('precondition_failed', { reason });
}

/**
 * Returns the tag of the value at a path with the configuration files as they are now, which may not be loaded yet.
 * @param text of `local.json`; undefined without the file
 */
export async function tagInFiles(
  host: ApplicationHost,
  path: KeyPath,
  text: string | undefined,
): Promise<string> {
  const now = await host.configuration({ local: text ?? null });
  return await runCooperatively(tagSteps(now.valueAt(path)));
}
