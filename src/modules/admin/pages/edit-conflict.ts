import {
  parseConfiguration,
  valueAt,
  type ConfigValue,
  type KeyPath,
  type Revision,
} from '../../../framework';
import { tagOf } from '../changes/tag';

/** How many revisions are told of at most. */
const MAX_ENTRIES = 3;

/**
 * The revisions that made another thing of what somebody has open. Where the thing stood in the file as it was seen,
 * they are all those since; where it cannot be told, as what was seen came from a lower layer, the latest of them.
 *
 * @param revisions the newest first
 * @param subject where the thing stands
 * @param seen its tag when it was opened
 */
export function editConflict(
  revisions: readonly Revision[],
  subject: KeyPath,
  seen: string | undefined,
): readonly Revision[] {
  const touching = revisions.filter(({ before, after }) => tagIn(before, subject) !== tagIn(after, subject));
  const first = touching.findIndex(({ before }) => tagIn(before, subject) === seen);
  return touching.slice(0, first < 0 ? 1 : Math.min(first + 1, MAX_ENTRIES));
}

/** A text that cannot be parsed says nothing of the subject. */
function tagIn(text: string | null, subject: KeyPath): string {
  let value: ConfigValue | undefined;
  try {
    value = text === null ? undefined : valueAt(parseConfiguration(text), subject);
  } catch {
    value = undefined;
  }
  return tagOf(value);
}
