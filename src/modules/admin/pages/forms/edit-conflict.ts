import {
  parseConfiguration,
  valueAt,
  type ConfigValue,
  type KeyPath,
  type Revision,
} from '../../../../framework';
import { tagOf } from '../../changes/comparison/tag';

/** The maximum number of revisions shown. */
const MAX_ENTRIES = 3;

/**
 * Returns the revisions that changed a value since a form with it was opened. If the opened value was not in
 * `local.json` (it came from a lower layer), only the latest revision is returned.
 *
 * @param revisions newest first
 * @param subject the path of the value
 * @param seen the tag of the value when the form was opened
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

/**
 * Whether a value has been edited by hand since the newest revision.
 * @param text of the file as it is now; undefined without the file
 */
export function isEditedByHand(
  [newest]: readonly Revision[],
  subject: KeyPath,
  text: string | undefined,
): boolean {
  return newest !== undefined && tagIn(newest.after, subject) !== tagIn(text ?? null, subject);
}

/** In invalid text, the subject is undefined. */
function tagIn(text: string | null, subject: KeyPath): string {
  let value: ConfigValue | undefined;
  try {
    value = text === null ? undefined : valueAt(parseConfiguration(text), subject);
  } catch {
    value = undefined;
  }
  return tagOf(value);
}
