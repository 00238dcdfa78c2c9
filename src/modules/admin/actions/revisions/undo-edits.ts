import {
  isObject,
  formatKeyPath,
  valueAt,
  type ConfigEdit,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { isSameValue } from '../../changes/comparison/same-value';

/** The edits that undo a change, and the conflicts. */
export interface UndoEdits {
  readonly edits: readonly ConfigEdit[];
  /** The key paths that have changed since. */
  readonly changedSince: readonly string[];
}

/**
 * Computes the edits that revert `after` to `before` in the current file, where its values have not changed since.
 */
export function undoEdits(before: ConfigObject, after: ConfigObject, current: ConfigObject): UndoEdits {
  const edits: ConfigEdit[] = [];
  const changedSince: string[] = [];
  const visit = (
    path: KeyPath,
    previous: ConfigValue | undefined,
    changed: ConfigValue | undefined,
    now: ConfigValue | undefined,
  ): void => {
    if (isSameValue(previous, changed)) return;
    const visitMembers = (lower: ConfigObject, upper: ConfigObject, present: ConfigObject): void => {
      for (const key of new Set([...Object.keys(lower), ...Object.keys(upper)]))
        visit([...path, key], valueAt(lower, [key]), valueAt(upper, [key]), valueAt(present, [key]));
    };
    if (isObject(previous) && isObject(changed) && isObject(now)) visitMembers(previous, changed, now);
    else if (isSameValue(now, changed)) edits.push({ path, value: previous });
    else if (previous === undefined && isObject(changed) && isObject(now)) visitMembers({}, changed, now);
    else if (!isSameValue(now, previous)) changedSince.push(formatKeyPath(path));
  };
  visit([], before, after, current);
  return { edits, changedSince };
}
