import {
  isList,
  LOCAL_FILE,
  mayHaveReferences,
  problem,
  formatKeyPath,
  withoutNulls,
  type ConfigEdit,
  type Configuration,
  type ConfigValue,
  type KeyPath,
} from '../../../../framework';
import { leavesOf } from '../comparison/edits';
import { isSameValue } from '../comparison/same-value';

/**
 * Rejects edits that a higher layer (a file that overrides `local.json`, or the environment) makes ineffective.
 * @param isUndoing whether an object is what the file had before: other layers may have further members of it
 * @throws Problem 409 that names the source of the effective value
 */
export function assertEffective(
  edits: readonly ConfigEdit[],
  candidate: Configuration,
  isUndoing = false,
): void {
  for (const { path, value } of isUndoing ? edits.flatMap(leavesOf) : edits) {
    const effective = candidate.valueAt(path);
    // Removing a key restores the value of the lower layers, whatever it is.
    // A list that is merged with those of lower layers has their members, too.
    const isAdding = candidate.isListAdding(path);
    if (
      value === undefined ||
      matches(effective, value, isAdding) ||
      isSourceEffective(candidate, path, value)
    )
      continue;
    throw problem('overruled', { path: formatKeyPath(path), source: candidate.sourceOf(path) });
  }
}

/**
 * The effective value of a reference is that of its environment variable, and `$${NAME}` is another text, so that the source
 * is compared instead.
 */
function isSourceEffective(candidate: Configuration, path: KeyPath, written: ConfigValue): boolean {
  return mayHaveReferences(written) && candidate.sourceOf(path).startsWith(LOCAL_FILE);
}

function matches(effective: ConfigValue | undefined, written: ConfigValue, isAdding: boolean): boolean {
  if (written === null) return effective === undefined;
  if (isAdding && isList(written) && isList(effective)) {
    return written.every((member) => effective.some((one) => isSameValue(one, member)));
  }
  return isSameValue(effective, withoutNulls(written));
}
