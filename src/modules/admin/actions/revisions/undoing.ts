import {
  isTree,
  showPath,
  valueAt,
  type ConfigEdit,
  type ConfigTree,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { tagOf } from '../../changes/tag';

/** What takes one change back, and what stands in its way. */
export interface Undoing {
  readonly edits: readonly ConfigEdit[];
  /** The key paths of the change that were changed again since. */
  readonly changedSince: readonly string[];
}

/**
 * Takes back what made `after` of `before`, in a file that others may have changed since: only where it still is as
 * that change has left it.
 */
export function undoing(before: ConfigTree, after: ConfigTree, now: ConfigTree): Undoing {
  const edits: ConfigEdit[] = [];
  const changedSince: string[] = [];
  const visit = (
    path: KeyPath,
    old: ConfigValue | undefined,
    young: ConfigValue | undefined,
    present: ConfigValue | undefined,
  ): void => {
    if (tagOf(old) === tagOf(young)) return;
    const visitMembers = (lower: ConfigTree, upper: ConfigTree, there: ConfigTree): void => {
      for (const key of new Set([...Object.keys(lower), ...Object.keys(upper)]))
        visit([...path, key], valueAt(lower, [key]), valueAt(upper, [key]), valueAt(there, [key]));
    };
    if (isTree(old) && isTree(young) && isTree(present)) visitMembers(old, young, present);
    else if (tagOf(present) === tagOf(young)) edits.push({ path, value: old });
    else if (old === undefined && isTree(young) && isTree(present)) visitMembers({}, young, present);
    else if (tagOf(present) !== tagOf(old)) changedSince.push(showPath(path));
  };
  visit([], before, after, now);
  return { edits, changedSince };
}
