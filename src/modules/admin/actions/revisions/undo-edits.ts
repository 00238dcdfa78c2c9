import {
  isObject,
  formatKeyPath,
  valueAt,
  type ConfigEdit,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { tagOf } from '../../changes/tag';

/** The edits that undo a change, and the conflicts. */
export interface UndoEdits {
  readonly edits: readonly ConfigEdit[];
  /** The key paths that have changed since. */
  readonly changedSince: readonly string[];
}

/**
 * Computes the edits that revert `after` to `before` in the current file, where its values have not changed since.
 */
export function undoing(before: ConfigObject, after: ConfigObject, now: ConfigObject): UndoEdits {
  const edits: ConfigEdit[] = [];
  const changedSince: string[] = [];
  const visit = (
    path: KeyPath,
    old: ConfigValue | undefined,
    young: ConfigValue | undefined,
    present: ConfigValue | undefined,
  ): void => {
    if (tagOf(old) === tagOf(young)) return;
    const visitMembers = (lower: ConfigObject, upper: ConfigObject, there: ConfigObject): void => {
      for (const key of new Set([...Object.keys(lower), ...Object.keys(upper)]))
        visit([...path, key], valueAt(lower, [key]), valueAt(upper, [key]), valueAt(there, [key]));
    };
    if (isObject(old) && isObject(young) && isObject(present)) visitMembers(old, young, present);
    else if (tagOf(present) === tagOf(young)) edits.push({ path, value: old });
    else if (old === undefined && isObject(young) && isObject(present)) visitMembers({}, young, present);
    else if (tagOf(present) !== tagOf(old)) changedSince.push(formatKeyPath(path));
  };
  visit([], before, after, now);
  return { edits, changedSince };
}
